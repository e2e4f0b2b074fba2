import { ClientSource, ClientState } from '../../../../prisma/generated/client/enums.ts'
import { command, UsageError } from '../../command.ts'
import type { Command } from '../../command.ts'
import { clientOutput, registrationInput, registrationOptions } from './client-options.ts'
import { allPages, asOperator, toEnumName } from '../../context.ts'
import {
  ClientDocument,
  ClientsDocument,
  CreateClientDocument,
  CreateTeamClientDocument,
  DeleteClientDocument,
  DisableClientDocument,
  EnableClientDocument,
  RotateClientSecretDocument,
  UpdateClientDocument,
} from '../../generated/operations.ts'
import { durationSecondsOrZero } from '../../argument-values.ts'
import { memberRows, table } from '../../terminal/table.ts'
import { printable } from '../../terminal/output.ts'

const clientSources = Object.values(ClientSource)
const clientStates = Object.values(ClientState)
export const clientById = { client_id: { stored: 'client', description: 'client ID, as shown by client list' } } as const
const nameOption = { value: 'NAME', description: 'name that the consent page shows' } as const

export const clientCreate = command({
  name: 'client create',
  summary: 'Register an OAuth client',
  description: `Prints the secret of a confidential client. It is not shown again.

The default grant types are authorization_code and, with the scope offline_access, refresh_token. The default of --team is
none. A public client may also use a redirect URI with a private-use scheme such as com.example.app:/cb.

A client with --owner belongs to that team and is listed immediately. Only a client of a team can use the grant type client_credentials.`,
  options: {
    name: { ...nameOption, required: true },
    public: { description: 'for software that cannot keep a secret: in browsers, on phones, desktops and command lines' },
    confidential: { description: 'for software that can keep a secret' },
    'client-id': { value: 'ID', description: 'client ID (default: generated)' },
    owner: { value: 'SLUG', stored: 'team', description: 'team that owns the client and can change it (default: none)' },
    ...registrationOptions,
  },
  run: async ({ options: { name, public: isPublic, confidential, 'client-id': clientId, owner, ...options } }) => {
    if (isPublic === confidential) throw new UsageError('one of --public and --confidential is required')
    const scopes = [...options['required-scope'], ...options['optional-scope']]
    const grantTypes = scopes.includes('offline_access') ? ['authorization_code', 'refresh_token'] : ['authorization_code']
    const registration = await registrationInput(options)
    const members = { name, confidential, ...registration, grantTypes: registration.grantTypes ?? grantTypes }
    if (owner !== undefined && (clientId ?? options.verified) !== undefined)
      throw new UsageError('--client-id and --verified are not for the client of a team')
    const { verified: _, team: teamMode, ...ofTeam } = members
    const { client, clientSecret } = await asOperator(async (execute) =>
      owner === undefined
        ? (await execute(CreateClientDocument, { input: { clientId, ...members } })).payload
        : (await execute(CreateTeamClientDocument, { input: { ...ofTeam, team: owner, teamMode } })).payload,
    )
    const text = `Created client ${client.clientId} (${printable(client.name)}).`
    if (clientSecret === null) return { value: clientOutput(client), text }
    const value = { ...clientOutput(client), client_secret: clientSecret }
    return { value, text: `${text} Its secret, which is not shown again:\n${clientSecret}` }
  },
})

export const clientList = command({
  name: 'client list',
  summary: 'List all OAuth clients',
  options: {
    state: {
      value: 'STATE',
      values: clientStates,
      description: 'only clients in this state; submitted includes listed clients with proposed changes',
    },
    source: {
      value: 'SOURCE',
      values: clientSources,
      description: 'only clients with this source; metadata: clients by URL',
    },
  },
  run: ({ options: { state, source } }) =>
    asOperator(async (execute) => {
      const filters = { state: state && toEnumName(state), source: source && toEnumName(source) }
      const clients = await allPages(async (page) => (await execute(ClientsDocument, { page, ...filters })).clients)
      const values = clients.map(clientOutput)
      const rows = values.map(({ client_id, name, state, proposed_changes, owner_team, confidential, grants, team, disabled_at }) => [
        client_id,
        name,
        [state, ...(proposed_changes.length > 0 ? ['changes in review'] : []), ...(disabled_at === null ? [] : ['disabled'])].join(', '),
        owner_team,
        disabled_at,
        confidential ? 'yes' : 'no',
        team,
        grants.join(' '),
      ])
      return {
        value: { data: values },
        text: table(['client id', 'name', 'state', 'owner', 'disabled', 'confidential', 'team', 'grants'], rows),
      }
    }),
})

export const clientShow = command({
  name: 'client show',
  summary: 'Show the registration of an OAuth client',
  description: 'Shows when its secrets were created and when they expire, but not their values.',
  positionals: clientById,
  run: ({ positionals: { client_id: clientId } }) =>
    asOperator(async (execute) => {
      const { client } = await execute(ClientDocument, { clientId })
      const value = { ...clientOutput(client), secrets: client.secrets }
      const rows = Object.entries(value).flatMap(([name, member]) => memberRows(name, member))
      return { value, text: table(['member', 'value'], rows) }
    }),
})

export const clientUpdate = command({
  name: 'client update',
  summary: 'Change the registration of an OAuth client',
  description: `Omitted options stay unchanged, a list is replaced completely, and an empty value clears: --logo-uri ''. Existing
grants are limited to the new registration from the next request on. A public client cannot become confidential, or vice
versa.`,
  positionals: clientById,
  options: { name: nameOption, ...registrationOptions },
  run: async ({ positionals: { client_id: clientId }, options: { name, ...options } }) => {
    const input = { clientId, name, ...(await registrationInput(options)) }
    const { client } = (await asOperator((execute) => execute(UpdateClientDocument, { input }))).payload
    return { value: clientOutput(client), text: `Updated client ${client.clientId}.` }
  },
})

export const clientRotateSecret = command({
  name: 'client rotate-secret',
  summary: 'Create a new secret for a confidential OAuth client',
  description: `Prints the new secret. It is not shown again. The current secret stays valid for the overlap; at most two secrets are valid
at the same time.`,
  positionals: clientById,
  options: {
    overlap: { value: 'TIME', description: 'how long the current secret stays valid, up to 30d; 0 ends it immediately (default: 24h)' },
  },
  run: async ({ positionals: { client_id: clientId }, options: { overlap = '24h' } }) => {
    const overlapSeconds = durationSecondsOrZero(overlap, '--overlap')
    const input = { clientId, overlapSeconds }
    const { client, clientSecret } = (await asOperator((execute) => execute(RotateClientSecretDocument, { input }))).payload
    return { value: { ...clientOutput(client), client_secret: clientSecret }, text: clientSecret }
  },
})

export const clientDisable = changeCommand('disable', DisableClientDocument, 'Disable an OAuth client and reject its tokens', 'Disabled')
export const clientEnable = changeCommand('enable', EnableClientDocument, 'Enable a disabled OAuth client', 'Enabled')
export const clientDelete = changeCommand('delete', DeleteClientDocument, 'Delete an OAuth client and its grants', 'Deleted', {
  confirmation: ({ client_id }) => `Delete client ${client_id} with its secrets and all its grants? This cannot be undone.`,
})

function changeCommand(
  verb: 'disable' | 'enable' | 'delete',
  document: typeof DisableClientDocument,
  summary: string,
  done: string,
  more: { confirmation?(positionals: { client_id: string }): string } = {},
): Command {
  return command({
    name: `client ${verb}`,
    summary,
    ...more,
    positionals: clientById,
    run: ({ positionals: { client_id: clientId } }) =>
      asOperator(async (execute) => {
        const { client } = (await execute(document, { input: { clientId } })).payload
        return { value: clientOutput(client), text: `${done} client ${client.clientId}.` }
      }),
  })
}
