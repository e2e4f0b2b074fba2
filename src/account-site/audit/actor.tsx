import { Name } from '../../web/components/address.tsx'
import type { AuthenticationMethod, EntryPartsFragment } from '../generated/operations.ts'

type Entry = Pick<EntryPartsFragment, 'actorKind' | 'actorName' | 'authenticationMethod' | 'clientName'>

/** Words before the name of an actor that is not a person. Without them, readers would take the name for a person. */
const nouns: Readonly<Partial<Record<Entry['authenticationMethod'], string>>> = {
  TEAM_TOKEN: 'Token',
  CLIENT: 'App',
  WORKLOAD_IDENTITY: 'Workload identity',
  INITIAL_ACCESS_TOKEN: 'Initial access token',
  COMMAND_LINE: 'Operator',
}

/** The actor of an entry, as the subject of its sentence: `Ada`, `Ada with Reports`, `Token CI` or `The service`. */
export const Actor = ({ entry: { actorKind, actorName, authenticationMethod, clientName } }: { entry: Entry }) => {
  if (actorKind === 'SYSTEM') return <>The service</>
  if (actorKind === 'ANONYMOUS') return <>The account site</>
  if (actorKind === 'STAFF')
    return (
      <>
        <bdi>{actorName}</bdi>, staff of the service,
      </>
    )
  const noun = nouns[authenticationMethod]
  if (noun !== undefined)
    return (
      <>
        {noun} <Name>{actorName}</Name>
      </>
    )
  const name = <bdi>{actorName}</bdi>
  return clientName === null ? (
    name
  ) : (
    <>
      {name} with <Name>{clientName}</Name>
    </>
  )
}

/** Labels of the methods by which the actor was authenticated. */
export const authenticationMethodLabels: Readonly<Record<AuthenticationMethod, string>> = {
  SESSION: 'on the website',
  PERSONAL_TOKEN: 'with a personal token',
  TEAM_TOKEN: 'with a team token',
  CLIENT: 'as a team app',
  WORKLOAD_IDENTITY: 'as a workload identity',
  INITIAL_ACCESS_TOKEN: 'with an initial access token',
  OAUTH: 'with a connected app',
  COMMAND_LINE: 'as the service operator',
  ACCOUNT_SITE: 'on the website, without a sign-in',
  SCHEDULE: 'by the service',
}
