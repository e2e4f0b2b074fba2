import { command, UsageError } from './command.ts'
import type { Command } from './command.ts'
import { members, recordOf, registrationInput, registrationOptions } from './client-options.ts'
import type { Told } from './client-options.ts'
import { allPages, asOperator } from './context.ts'
import { spanSeconds } from './duration.ts'
import { printable, table } from './output.ts'

const identifier = { client_id: { about: 'identifier of the client, as client list shows it' } }

export const clientCreate = command({
  name: 'client create',
  about: 'Registers an OAuth client; the secret of a confidential one is printed, this once.',
  notes: `Without --grant it may use authorization_code, and refresh_token where offline_access is among its scopes; without --team
its grants carry none. A public client may also be sent back to a private-use scheme such as com.example.app:/cb.`,
  options: {
    name: { value: 'NAME', required: true, about: 'name that people see when they are asked for consent' },
    public: { about: 'it cannot keep a secret: software in browsers, on phones, desktops and command lines' },
    confidential: { about: 'it can keep a secret' },
    'client-id': { value: 'ID', about: 'its public identifier; one is made up unless told' },
    ...registrationOptions,
  },
  run: async ({ options: { name, public: isPublic, confidential, 'client-id': clientId, ...given } }) => {
    if (isPublic === confidential) throw new UsageError('one of --public and --confidential is required')
    const scopes = [...given['required-scope'], ...given['optional-scope']]
    const grantTypes = scopes.includes('offline_access') ? ['authorization_code', 'refresh_token'] : ['authorization_code']
    const registration = registrationInput(given)
    const input = { clientId, name, confidential, ...registration, grantTypes: registration.grantTypes ?? grantTypes }
    const { client, clientSecret } = await asOperator(async (ask) => {
      const { createClient } = await ask<{ createClient: { client: Told; clientSecret: string | null } }>(
        `mutation ($input: CreateClientInput!) { createClient(input: $input) { client { ${members} } clientSecret } }`,
        { input },
      )
      return createClient
    })
    const said = `Created client ${client.client_id} (${printable(client.name)}).`
    if (clientSecret === null) return { value: recordOf(client), text: said }
    return { value: { ...recordOf(client), client_secret: clientSecret }, text: `${said} Its secret, shown this once:\n${clientSecret}` }
  },
})

export const clientList = command({
  name: 'client list',
  about: 'Lists all OAuth clients by their identifiers.',
  run: () =>
    asOperator(async (ask) => {
      const told = await allPages(async (page) => {
        const { clients } = await ask<{ clients: { nodes: Told[]; lastPage: number } }>(
          `query ($page: Int!) { clients(page: $page, perPage: 100) { nodes { ${members} } lastPage } }`,
          { page },
        )
        return clients
      })
      const records = told.map(recordOf)
      const rows = records.map(({ client_id, name, confidential, grants, team, disabled_at }) => [
        client_id,
        name,
        confidential ? 'yes' : 'no',
        grants.join(' '),
        team,
        disabled_at,
      ])
      return { value: { data: records }, text: table(['client id', 'name', 'confidential', 'grants', 'team', 'disabled'], rows) }
    }),
})

interface Secret {
  created_at: Date
  expires_at: Date | null
}

export const clientShow = command({
  name: 'client show',
  about: 'Shows how an OAuth client is registered and since when its secrets work, never their values.',
  positionals: identifier,
  run: ({ positionals: { client_id } }) =>
    asOperator(async (ask) => {
      const { client } = await ask<{ client: Told & { secrets: Secret[] } }>(
        `query ($id: ID!) { client(clientId: $id) { ${members} secrets { created_at: createdAt expires_at: expiresAt } } }`,
        { id: client_id },
      )
      const record = recordOf(client)
      return {
        value: record,
        text: table(
          ['member', 'value'],
          Object.entries(record).flatMap(([name, value]) => cells(name, value)),
        ),
      }
    }),
})

/** A member as rows of a table: a list has one for each of its items, what is within another its name beside. */
function cells(name: string, value: unknown): [string, string | Date | null][] {
  if (value === null || value instanceof Date) return [[name, value]]
  if (Array.isArray(value)) return value.length === 0 ? [[name, null]] : value.flatMap((item: unknown) => cells(name, item))
  if (typeof value === 'object') return Object.entries(value).flatMap(([inner, item]) => cells(`${name}.${inner}`, item))
  return [[name, typeof value === 'string' ? value : JSON.stringify(value)]]
}

export const clientUpdate = command({
  name: 'client update',
  about: 'Changes how an OAuth client is registered; its grants reach no further than that from the next request on.',
  notes: `What is not given stays as it is; a list is replaced whole; an empty text clears: --logo-uri ''. Whether a client is public
or confidential never changes.`,
  positionals: identifier,
  options: { name: { value: 'NAME', about: 'name that people see when they are asked for consent' }, ...registrationOptions },
  run: async ({ positionals: { client_id: clientId }, options: { name, ...given } }) => {
    const input = { clientId, name, ...registrationInput(given) }
    const { payload } = await asOperator((ask) =>
      ask<{ payload: { client: Told } }>(
        `mutation ($input: UpdateClientInput!) { payload: updateClient(input: $input) { client { ${members} } } }`,
        { input },
      ),
    )
    return { value: recordOf(payload.client), text: `Updated client ${payload.client.client_id}.` }
  },
})

export const clientRotateSecret = command({
  name: 'client rotate-secret',
  about: 'Gives a confidential OAuth client a new secret and prints it, this once.',
  notes: 'The secret before it keeps working for the overlap; never more than two work.',
  positionals: identifier,
  options: { overlap: { value: 'TIME', about: 'how long the present one keeps working: 24h unless told, 0 for not at all, at most 30d' } },
  run: async ({ positionals: { client_id: clientId }, options: { overlap = '24h' } }) => {
    const overlapSeconds = spanSeconds(overlap, '--overlap')
    const { payload } = await asOperator((ask) =>
      ask<{ payload: { client: Told; clientSecret: string } }>(
        `mutation ($input: RotateClientSecretInput!) { payload: rotateClientSecret(input: $input) { client { ${members} } clientSecret } }`,
        { input: { clientId, overlapSeconds } },
      ),
    )
    return { value: { ...recordOf(payload.client), client_secret: payload.clientSecret }, text: payload.clientSecret }
  },
})

export const clientDisable = change(
  'disable',
  'Disables an OAuth client; what it holds opens nothing from the next request on.',
  'Disabled',
)
export const clientEnable = change('enable', 'Enables a disabled OAuth client again.', 'Enabled')
export const clientDelete = change('delete', 'Deletes an OAuth client with all that people granted it.', 'Deleted')

function change(verb: 'disable' | 'enable' | 'delete', about: string, done: string): Command {
  return command({
    name: `client ${verb}`,
    about,
    positionals: identifier,
    run: ({ positionals: { client_id: clientId } }) =>
      asOperator(async (ask) => {
        const { payload } = await ask<{ payload: { client: Told } }>(
          `mutation ($input: ClientInput!) { payload: ${verb}Client(input: $input) { client { ${members} } } }`,
          { input: { clientId } },
        )
        return { value: recordOf(payload.client), text: `${done} client ${payload.client.client_id}.` }
      }),
  })
}
