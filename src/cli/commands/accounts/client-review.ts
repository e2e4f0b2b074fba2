import { command } from '../../command.ts'
import { asOperator } from '../../context.ts'
import { printable } from '../../terminal/output.ts'
import { clientFields, clientOutput } from './client-options.ts'
import type { ClientFields } from './client-options.ts'
import { identifier } from './client.ts'

const options = {
  'if-version': { value: 'VERSION', description: 'version that client show printed; refuses if the client has changed since' },
} as const

/** Executes the mutation that ends a review. */
const review = (mutation: 'approveClient' | 'rejectClient', input: object) =>
  asOperator(async (execute) => {
    const type = mutation === 'approveClient' ? 'ApproveClientInput' : 'RejectClientInput'
    const { payload } = await execute<{ payload: { client: ClientFields } }>(
      `mutation ($input: ${type}!) { payload: ${mutation}(input: $input) { client { ${clientFields} } } }`,
      { input },
    )
    return payload.client
  })

export const clientApprove = command({
  name: 'client approve',
  summary: 'List a client of a team, or put its changes into force',
  description: `client show prints what waits for a review: the registration of a submitted client, or the proposed changes of a listed one.
The owners of the team receive an email.`,
  positionals: identifier,
  options,
  run: async ({ positionals: { client_id: clientId }, options: { 'if-version': version } }) => {
    const client = await review('approveClient', { clientId, version })
    return { value: clientOutput(client), text: `Approved client ${client.client_id} (${printable(client.name)}).` }
  },
})

export const clientReject = command({
  name: 'client reject',
  summary: 'Reject a client of a team, or its changes',
  description: `A rejected client works for members of its team only. A listed client whose changes are rejected works as before; one without
changes is no longer listed. The owners of the team receive an email with the reason.`,
  positionals: identifier,
  options: { reason: { value: 'TEXT', required: true, description: 'why, for the owners of the team' }, ...options },
  run: async ({ positionals: { client_id: clientId }, options: { reason, 'if-version': version } }) => {
    const client = await review('rejectClient', { clientId, reason, version })
    return { value: clientOutput(client), text: `Rejected client ${client.client_id} (${printable(client.name)}).` }
  },
})
