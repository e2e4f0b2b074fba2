import { z } from 'zod'
import { resourceIdentifier } from '../../../rest-facade/http/protected-resources.ts'
import { tokenScopes } from '../../../schema/core/scopes.ts'
import { notFound } from '../../../schema/core/errors.ts'
import { maxAgentClients } from '../../../schema/identity-providers/agents/rules.ts'
import { Name } from '../../web/components/address.tsx'
import { copyScript } from '../../web/components/copy-button.tsx'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Checkbox } from '../../web/components/forms/checkbox.tsx'
import { Choices } from '../../web/components/forms/choices.tsx'
import { TextArea } from '../../web/components/forms/field.tsx'
import { FieldGroup } from '../../web/components/forms/field-group.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { isolateName } from '../../web/display-name.ts'
import { checkbox, list, text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { AgentProviderDocument, SetAgentAssertionsDocument } from '../generated/operations.ts'
import type { AgentAssertionsPartsFragment } from '../generated/operations.ts'
import { CopiedValues } from '../sign-in-settings/copied-value.tsx'
import { PermissionTable } from '../tokens/new-token/permission-table.tsx'
import { agentsPath } from './agents.tsx'
import { ProviderAccessBadge } from './provider-access.tsx'

const lines = text.transform((value) => value.split(/\s+/).filter(Boolean))

/** The access that an OpenID provider of the team gives agents, without asking the members. */
export const agentProvider = page({
  path: `${agentsPath}/:provider`,
  title: ({ team: { identityProvider } }) => isolateName(identityProvider.name),
  badge: ({ team: { identityProvider } }) => <ProviderAccessBadge {...identityProvider} />,
  parent: agentsPath,
  scripts: [copyScript],
  document: AgentProviderDocument,
  variables: (ctx) => ({ team: ctx.param('team'), id: ctx.param('provider') }),
  forms: {
    update: form({
      fields: z.object({ enabled: checkbox, clientIds: lines, scopes: list, linkByAddress: checkbox }),
      document: SetAgentAssertionsDocument,
      variables: (fields, ctx) => ({ input: { team: ctx.param('team'), providerId: ctx.param('provider'), ...fields } }),
      notice: (_, __, { enabled }) =>
        enabled
          ? 'The settings were saved. The identity provider can give agents access.'
          : 'The settings were saved. The identity provider cannot give agents access.',
    }),
  },
  view({ team: { identityProvider, domains } }, ctx) {
    if (identityProvider.kind !== 'OIDC') throw notFound()
    const { authUrl } = ctx.site
    return (
      <>
        {!domains.some(({ verifiedAt }) => verifiedAt !== null) && (
          <p class="caution">
            The identity provider can give access only while the team has a verified domain.{' '}
            <a href={`/teams/${ctx.param('team')}/sign-in/domains`}>Verify a domain</a>
          </p>
        )}
        <SettingsForm assertions={identityProvider.agentAssertions} />
        <FieldGroup
          id="values"
          title="At your identity provider"
          about="Enter these values there, exactly as they are. The identity provider must support enterprise-managed authorization of MCP (ID-JAG)."
        >
          <CopiedValues
            values={[
              { id: 'audience', label: 'Audience (authorization server, issuer)', copied: 'audience', value: authUrl },
              { id: 'resource', label: 'Resource (MCP server)', copied: 'resource', value: resourceIdentifier(authUrl, 'mcp') },
            ]}
          />
        </FieldGroup>
      </>
    )
  },
})

const SettingsForm = ({ assertions }: { assertions: AgentAssertionsPartsFragment }) => (
  <Form name="update">
    <FieldGroup
      id="access"
      title="Access for agents"
      about="With each assertion that the identity provider signs, an agent gets access to this team as one member, for 15 minutes."
    >
      <Choices
        name="enabled"
        legend="Access for agents"
        isLegendHidden
        type="radio"
        options={[
          { value: 'false', label: 'Off', hint: 'Agents lose the access that the identity provider gave. The settings below are kept.' },
          {
            value: 'true',
            label: 'On',
            hint: 'Your identity provider decides which members’ agents get access. Members are not asked.',
          },
        ]}
        checked={[String(assertions.enabled)]}
      />
      <Checkbox
        name="linkByAddress"
        label="Also for members who have not signed in through it yet"
        hint="They are recognized by their email address in a verified domain, if their account belongs to this team alone. The account is then linked to the identity provider, and the member gets an email."
        isTicked={assertions.linkByAddress}
      />
    </FieldGroup>
    <FieldGroup
      id="apps"
      title="Apps"
      about="The agents to which the identity provider can give access. Apps without a secret or a key cannot be added."
    >
      <Apps assertions={assertions} />
      <TextArea
        name="clientIds"
        label="Client IDs of the apps"
        noun="a client ID"
        rows={4}
        required={false}
        value={assertions.clientIds.join('\n')}
        hint={`One per line, at most ${maxAgentClients}. The client ID of some agents is a URL.`}
      />
    </FieldGroup>
    <FieldGroup
      id="permissions"
      title="Permissions"
      about="The identity provider can give agents these permissions at most. A member’s agent can never do more than the member."
    >
      <PermissionTable scopes={tokenScopes} initial={assertions.scopes} />
    </FieldGroup>
    <Buttons>
      <Button>Save</Button>
    </Buttons>
  </Form>
)

/** The names of the apps whose identifiers are in the field. */
const Apps = ({ assertions: { clientIds, clients } }: { assertions: AgentAssertionsPartsFragment }) =>
  clientIds.length > 0 && (
    <ul class="entries">
      {clientIds.map((clientId) => {
        const name = clients.find((client) => client.clientId === clientId)?.name
        return (
          <li>
            {name === undefined ? 'Not registered, or disabled' : <Name>{name}</Name>} <code>{clientId}</code>
          </li>
        )
      })}
    </ul>
  )
