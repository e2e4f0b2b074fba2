import { GuideValues, Mappings } from './guide-parts.tsx'
import type { Mapping } from './guide-parts.tsx'

const users: readonly Mapping[] = [
  [
    'userName',
    'Configured in Sign On settings',
    <>
      <b>Application username format</b>: Email
    </>,
  ],
  ['givenName', 'user.firstName'],
  ['familyName', 'user.lastName'],
  ['email', 'user.email'],
  ['emailType', "(user.email != null && user.email != '') ? 'work' : ''", 'Expression'],
  ['displayName', 'user.displayName'],
]

/** Setup instructions for Okta. */
export const OktaGuide = ({ url }: { url: string }) => (
  <>
    <ol>
      <li>
        Open the Okta Admin Console, then <b>Applications</b> and <b>Applications</b>. Open the app through which members sign in by SAML.
        Okta cannot provision apps with OpenID Connect: if you have one, or none, press <b>Create App Integration</b>, and choose{' '}
        <b>SWA - Secure Web Authentication</b>.
      </li>
      <li>
        On the tab <b>General</b>, edit <b>App Settings</b>, choose <b>SCIM</b> for <b>Provisioning</b>, and press <b>Save</b>.
      </li>
      <li>
        On the tab <b>Provisioning</b>, open <b>Integration</b> and press <b>Edit</b>. Enter:
        <GuideValues
          values={[
            ['SCIM connector base URL', <code>{url}</code>],
            ['Unique identifier field for users', <code>userName</code>],
            ['Supported provisioning actions', 'Import New Users and Profile Updates, Push New Users, Push Profile Updates, Push Groups'],
            ['Authentication Mode', 'HTTP Header'],
            ['Authorization (Bearer)', 'The token of this page'],
          ]}
        />
      </li>
      <li>
        Press <b>Test Connector Configuration</b>, then <b>Save</b>.
      </li>
      <li>
        Still on the tab <b>Provisioning</b>, open <b>To App</b> and press <b>Edit</b>. Enable <b>Create Users</b>,{' '}
        <b>Update User Attributes</b> and <b>Deactivate Users</b>. Leave <b>Sync Password</b> off.
      </li>
      <li>
        Below, compare the attribute mappings with these, and delete all others, such as <code>primaryPhone</code> and{' '}
        <code>addressType</code>. This service does not use them. Okta sends the identifier of the user as <code>externalId</code> by
        itself.
      </li>
    </ol>
    <Mappings label="Attributes of users in Okta" directory="Okta" mappings={users} />
    <ol start={7}>
      <li>
        Test it: on the tab <b>Assignments</b>, assign one person, who then appears at the end of this page. Then assign the others, or
        groups.
      </li>
      <li>
        If groups are to decide roles, add them on the tab <b>Push Groups</b>. Okta recommends not to push the groups that you assign.
      </li>
    </ol>
  </>
)
