import { command } from '../../command.ts'
import { asOperator } from '../../context.ts'
import { printable } from '../../terminal/output.ts'
import { ApproveClientDocument, RejectClientDocument } from '../../generated/operations.ts'
import { clientOutput } from './client-options.ts'
import { clientById } from './client.ts'

const options = {
  'if-version': { value: 'VERSION', description: 'version that client show printed; fails if the client has changed since' },
} as const

export const clientApprove = command({
  name: 'client approve',
  summary: 'Approve a client of a team, or its proposed changes',
  description: `Everyone can connect an approved client: it is listed. Approved changes take effect immediately. Look at the client first: client
show prints its registration and the proposed changes. The owners of the team receive an email.`,
  positionals: clientById,
  options,
  run: async ({ positionals: { client_id: clientId }, options: { 'if-version': version } }) => {
    const { client } = (await asOperator((execute) => execute(ApproveClientDocument, { input: { clientId, version } }))).payload
    return { value: clientOutput(client), text: `Approved client ${client.clientId} (${printable(client.name)}).` }
  },
})

export const clientReject = command({
  name: 'client reject',
  summary: 'Reject a client of a team, or its proposed changes',
  description: `Only members of its team can connect a rejected client. If a listed client has proposed changes, these are rejected and it stays
listed; if it has none, it is no longer listed. The owners of the team receive an email with the reason.`,
  positionals: clientById,
  options: { reason: { value: 'TEXT', required: true, description: 'reason, which the owners of the team read' }, ...options },
  run: async ({ positionals: { client_id: clientId }, options: { reason, 'if-version': version } }) => {
    const { client } = (await asOperator((execute) => execute(RejectClientDocument, { input: { clientId, reason, version } }))).payload
    return {
      value: clientOutput(client),
      text: `Rejected ${client.state === 'LISTED' ? 'the changes to client' : 'client'} ${client.clientId} (${printable(client.name)}).`,
    }
  },
})
