import { z } from 'zod'
import { maxAgentHosts } from '../../../schema/agents/allowed-hosts.ts'
import type { Ports } from '../../../schema/core/ports.ts'
import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Field } from '../../web/components/forms/field.tsx'
import { FieldGroup } from '../../web/components/forms/field-group.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { Table } from '../../web/components/lists/table.tsx'
import { text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import type { PageContext } from '../framework/page-context.ts'
import { AllowAgentHostDocument, RemoveAgentHostDocument } from '../generated/operations.ts'

const fields = z.object({ host: text })
const variables = ({ host }: z.output<typeof fields>, ctx: PageContext) => ({ input: { team: ctx.param('team'), host: host.trim() } })

export const allowHost = form({
  fields,
  document: AllowAgentHostDocument,
  variables,
  notice: 'Members can now connect agents of this host.',
})

export const removeHost = form({
  fields,
  document: RemoveAgentHostDocument,
  variables,
  notice: (_, __, { host }) => `Members can no longer connect agents of ${host}.`,
})

interface HostsSectionProps {
  hosts: readonly string[]
  setting: Ports['clientMetadataDocuments']
}

/** The hosts whose agents members can connect. Where the service accepts agents of all hosts or of none, owners have no choice. */
export const HostsSection = ({ hosts, setting }: HostsSectionProps) => (
  <FieldGroup
    id="hosts"
    title="Allowed hosts"
    about={
      <>
        <p>
          Most agents identify themselves by a URL of their maker. Claude, for example, uses one at claude.ai, and Visual Studio Code one at
          vscode.dev.
        </p>
        {setting === 'reviewed' && (
          <>
            <p>Members can connect such an agent only if you allow the host of its URL. Each member then selects what the agent may do.</p>
            <p>Allow only hosts on which one publisher controls all pages. Elsewhere, anyone can publish an agent.</p>
          </>
        )}
      </>
    }
  >
    {setting === 'off' ? (
      <p>At this service, such agents cannot be connected.</p>
    ) : setting === 'any' ? (
      <p>This service allows every host. Each member selects what an agent may do.</p>
    ) : (
      <HostSettings hosts={hosts} />
    )}
  </FieldGroup>
)

const HostSettings = ({ hosts }: { hosts: readonly string[] }) => (
  <>
    {hosts.length === 0 ? <p>No host is allowed yet, so members cannot connect such agents.</p> : <Hosts hosts={hosts} />}
    {hosts.length >= maxAgentHosts ? (
      <p class="hint">A team can allow {maxAgentHosts} hosts. Remove one to allow another.</p>
    ) : (
      <Form name="allow-host">
        <Field name="host" label="Host" noun="a host" maxLength={255} autocomplete="off" hint="For example, claude.ai." />
        <Buttons>
          <Button kind="second">Allow host</Button>
        </Buttons>
      </Form>
    )}
  </>
)

const Hosts = ({ hosts }: { hosts: readonly string[] }) => (
  <Table label="Hosts">
    <tbody>
      {hosts.map((host) => (
        <tr>
          <th scope="row">{host}</th>
          <td class="amount">
            <ConfirmDialog summary="Remove…" objectName={host} form="remove-host" hidden={{ host }} button="Remove this host">
              Members can no longer connect agents of this host. Connected ones lose access to the team immediately.
            </ConfirmDialog>
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
)
