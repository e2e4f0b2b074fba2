import { Name } from '../../web/components/address.tsx'
import { FieldGroup } from '../../web/components/forms/field-group.tsx'
import { Day } from '../../web/components/time.tsx'
import type { SignInSettingsQuery } from '../generated/operations.ts'
import { counted } from '../labels.ts'
import { CopiedValues } from './copied-value.tsx'
import { DomainBadge } from './domain-badge.tsx'

type Team = SignInSettingsQuery['team']

interface SettingSectionsProps {
  team: Team
  /** Path of the sign-in settings. */
  path: string
  now: Date
}

/** The current state of the domains, the requirement, the directory and the groups of a team, each with a link to its page. */
export const SettingSections = ({ team, path, now }: SettingSectionsProps) => (
  <>
    <FieldGroup
      id="domains"
      title="Domains"
      about="Verify the domains of your members’ email addresses, so that they are offered your identity provider when they sign in."
    >
      {team.domains.length === 0 ? <p>No domains yet.</p> : <Domains domains={team.domains} />}
      <a class="button second" href={`${path}/domains`}>
        View the domains
      </a>
    </FieldGroup>
    <FieldGroup
      id="requirement"
      title="Required sign-in"
      about="You can require members with an email address in a verified domain to sign in through your identity provider."
    >
      <p>
        <Requirement requirement={team.signInRequirement} now={now} />
      </p>
      <a class="button second" href={`${path}/requirement`}>
        View the requirement
      </a>
    </FieldGroup>
    <FieldGroup
      id="directory"
      title="Directory"
      about="The directory of your organization can add and remove members, and send its groups (SCIM 2.0)."
    >
      <p>
        {team.directoryUsers.total === 0
          ? 'The directory has sent no users yet.'
          : `The directory has sent ${counted(team.directoryUsers.total, 'user', 'users')}, whose membership it manages.`}
      </p>
      <a class="button second" href={`${path}/directory`}>
        View the directory
      </a>
    </FieldGroup>
    <FieldGroup id="groups" title="Groups" about="Groups of your organization can decide the role and the products of their members.">
      <p>
        {team.directoryGroups.total > 0 && `${counted(team.directoryGroups.total, 'group', 'groups')} from the directory. `}
        {team.groupRoles.length === 0
          ? 'No group decides the role and the products of its members.'
          : `${counted(team.groupRoles.length, 'group decides the role and the products of its', 'groups decide the role and the products of their')} members.`}
      </p>
      <a class="button second" href={`${path}/groups`}>
        View the groups
      </a>
    </FieldGroup>
    {team.identityProviders.length > 0 && (
      <FieldGroup
        id="address"
        title="Sign-in URL"
        about="Members sign in at this URL. You can also enter it at your identity provider, so that the service appears among the apps there."
      >
        <CopiedValues values={[{ id: 'sign-in-url', label: 'URL', copied: 'URL', value: team.signInUrl }]} />
      </FieldGroup>
    )}
  </>
)

const Domains = ({ domains }: Pick<Team, 'domains'>) => (
  <ul class="entries">
    {domains.map(({ domain, ...verification }) => (
      <li>
        <Name>{domain}</Name> <DomainBadge {...verification} />
      </li>
    ))}
  </ul>
)

const Requirement = ({ requirement, now }: { requirement: Team['signInRequirement']; now: Date }) =>
  requirement === null ? (
    <>Not required.</>
  ) : (
    <>
      Required {new Date(requirement.from) <= now ? 'since' : 'from'} <Day at={requirement.from} />, through{' '}
      <Name>{requirement.provider.name}</Name>.
    </>
  )
