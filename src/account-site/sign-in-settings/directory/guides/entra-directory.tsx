import { GuideValues, Mappings } from './guide-parts.tsx'
import type { Mapping } from './guide-parts.tsx'

const users: readonly Mapping[] = [
  ['userName', 'userPrincipalName', 'Matching attribute, precedence 1'],
  ['active', 'Switch([IsSoftDeleted], , "False", "True", "True", "False")', 'Expression'],
  ['displayName', 'displayName'],
  ['emails[type eq "work"].value', 'mail', 'Matching attribute, precedence 2, if email addresses differ from user principal names'],
  ['name.givenName', 'givenName'],
  ['name.familyName', 'surname'],
  ['externalId', 'objectId', 'Instead of mailNickname, which can change'],
]

const groups: readonly Mapping[] = [
  ['displayName', 'displayName', 'Matching attribute, precedence 1'],
  ['externalId', 'objectId'],
  ['members', 'members'],
]

/** Setup instructions for Microsoft Entra ID. */
export const EntraGuide = ({ url }: { url: string }) => (
  <>
    <ol>
      <li>
        Open the <a href="https://entra.microsoft.com">Microsoft Entra admin center</a>, then <b>Enterprise apps</b>. Open the app through
        which members sign in by SAML. If there is none, press <b>New application</b> and <b>Create your own application</b>, and choose an
        app that is not in the gallery.
      </li>
      <li>
        Open <b>Provisioning</b> and press <b>New configuration</b>. If you are asked for the provisioning mode, choose <b>Automatic</b>.
        Enter:
        <GuideValues
          values={[
            ['Authentication method', 'Bearer authentication'],
            ['Tenant URL', <code>{url}</code>],
            ['Secret token', 'The token of this page'],
          ]}
        />
      </li>
      <li>
        Press <b>Test connection</b>, then <b>Create</b>.
      </li>
      <li>
        Under <b>Attribute mapping</b>, open <b>Provision Microsoft Entra ID Users</b>. Change the mappings to these, and delete all others,
        such as <code>title</code>, <code>preferredLanguage</code>, <code>name.formatted</code>, and those that begin with{' '}
        <code>addresses</code>, <code>phoneNumbers</code> or <code>urn:ietf:params:scim:schemas:extension:enterprise</code>. This service
        does not use them.
      </li>
    </ol>
    <Mappings label="Attributes of users in Entra ID" directory="Entra ID" mappings={users} />
    <ol start={5}>
      <li>
        Open <b>Provision Microsoft Entra ID Groups</b>, and compare the mappings with these. If groups are not to decide roles, set{' '}
        <b>Enabled</b> to <b>No</b> instead.
      </li>
    </ol>
    <Mappings label="Attributes of groups in Entra ID" directory="Entra ID" mappings={groups} />
    <ol start={6}>
      <li>
        Under <b>Settings</b>, set <b>Scope</b> to <b>Sync only assigned users and groups</b>. Assign them under <b>Users and groups</b>.
        Entra ID sends the direct members of a group only.
      </li>
      <li>
        Test it: press <b>Provision on demand</b> and choose one person, who then appears at the end of this page.
      </li>
      <li>
        Press <b>Start provisioning</b>. Entra ID sends changes about every 40 minutes.
      </li>
    </ol>
  </>
)
