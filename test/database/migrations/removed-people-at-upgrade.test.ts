import { expect, test } from 'vitest'
import { findRemovedByAddress, findRemovedByIdentity, isRemovedRecord } from '../../../schema/members/directory/removed-people.ts'
import { createDatabaseBefore } from '../../support/service/database-before.ts'

const team = '00000000-0000-4000-8000-000000000001'
const [ada, bob] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b']

const rows = `
  INSERT INTO teams (id, slug, name, updated_at) VALUES ('${team}', 'acme', 'Acme', now());
  INSERT INTO users (id, email, name, updated_at) VALUES ('${ada}', 'ada@acme.example', 'Ada', now()), ('${bob}', 'bob@acme.example', 'Bob', now());
  INSERT INTO members (team_id, user_id, role) VALUES ('${team}', '${bob}', 'member');
  INSERT INTO scim_users (team_id, user_id, user_name, external_id, attributes, created_at, updated_at)
    VALUES ('${team}', '${ada}', 'Ada.L@acme.example', 'ext-ada', '{"emails": [{"value": "lovelace@acme.example"}]}', now(), now()),
      ('${team}', '${bob}', 'bob@acme.example', 'ext-bob', '{"emails": null}', now(), now());
  INSERT INTO identity_providers (id, team_id, kind, name, issuer, updated_at)
    VALUES ('${team}', '${team}', 'oidc', 'Acme', 'https://id.example', now());
  INSERT INTO external_identities (user_id, provider_id, subject, last_sign_in_at)
    VALUES ('${ada}', '${team}', 'subject-ada', now()), ('${bob}', '${team}', 'subject-bob', now());`

test('people whom a directory deactivated before the upgrade are recognised after it, and active ones are not', async () => {
  const { pool, upgrade } = await createDatabaseBefore('20261128173831_directory_removals')
  await pool.query(rows)
  await upgrade()
  const executor = {
    execute: async <Row>({ text }: { text: string }, values: readonly unknown[]): Promise<Row[]> => {
      const { rows: selected } = await pool.query(text, [...values])
      return selected as Row[]
    },
  }
  const known = async (name: string, userId: string, addresses: readonly string[]) => [
    await Promise.all(addresses.map((address) => findRemovedByAddress(executor, team, address))),
    await findRemovedByIdentity(executor, team, { issuer: 'https://id.example', subject: `subject-${name}` }),
    await isRemovedRecord(executor, team, userId, `ext-${name}`),
  ]
  expect(await known('ada', ada, ['ada@acme.example', 'ada.l@acme.example', 'lovelace@acme.example'])).toEqual([[ada, ada, ada], ada, true])
  expect(await known('bob', bob, ['bob@acme.example'])).toEqual([[null], null, false])
})
