import { z } from 'zod'
import { picturePath } from '../../../schema/pictures/picture-url.ts'
import { Name } from '../../web/components/address.tsx'
import { Avatar } from '../../web/components/avatar.tsx'
import { isolateName } from '../../web/display-name.ts'
import { ownerAccessPath, passkeysPath, teamSignInAt } from '../../web/page-paths.ts'
import { readReturnAddress } from '../../web/return-address.ts'
import { text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import type { PageContext } from '../framework/page-context.ts'
import { page } from '../framework/page.ts'
import { OpenTeamAsOwnerDocument, OwnerAccessDocument } from '../generated/operations.ts'
import { PasskeyForm, passkeyScripts } from '../security/passkey-form.tsx'

const getTeamSlug = ({ query }: PageContext) => query.get('team') ?? ''
/** Returns the team of the user to open; undefined if the user is not a member of it. */
const findTeam = (ctx: PageContext) =>
  [...ctx.teamsLackingSignIn, ...ctx.teams].map(({ team }) => team).find(({ slug }) => slug === getTeamSlug(ctx))

/** Lets an owner open a team with a passkey, although it requires sign-in through its identity provider. */
export const ownerAccess = page({
  path: ownerAccessPath,
  title: 'Open the team with your passkey',
  scripts: passkeyScripts,
  document: OwnerAccessDocument,
  forms: {
    open: form({
      fields: z.object({ response: text }),
      document: OpenTeamAsOwnerDocument,
      variables: ({ response }, ctx) => ({ input: { team: getTeamSlug(ctx), response } }),
      renewsSession: true,
      onSuccess: (_, ctx) => readReturnAddress(ctx),
    }),
  },
  view({ viewer: { passkeyConfirmation, missingSignIns } }, ctx) {
    const team = findTeam(ctx)
    const provider = missingSignIns.find(({ teamSlug }) => teamSlug === team?.slug)?.providerName
    const throughProvider = (
      <a class={passkeyConfirmation === null ? 'button' : 'button second'} href={teamSignInAt(getTeamSlug(ctx), readReturnAddress(ctx))}>
        {`Sign in through ${provider === undefined ? 'the identity provider' : isolateName(provider)}`}
      </a>
    )
    return (
      <section>
        {team && (
          <p class="who">
            <Avatar of="team" name={team.name} picture={picturePath(team.logoId)} />
            <Name>{team.name}</Name>
          </p>
        )}
        <p>
          This team requires sign-in through {provider === undefined ? 'its identity provider' : <Name>{provider}</Name>}. Owners can open
          it with a passkey instead, for example when the provider fails, until they sign out in this browser. The audit log records it, and
          the other owners receive an email.
        </p>
        {passkeyConfirmation === null ? (
          <p>
            You have no passkey. Sign in through the provider, ask another owner, or <a href={passkeysPath}>add a passkey</a>.
          </p>
        ) : (
          <PasskeyForm name="open" ceremony="get" options={passkeyConfirmation} button="Open with your passkey" isUsual />
        )}
        <div class="buttons">{throughProvider}</div>
      </section>
    )
  },
})
