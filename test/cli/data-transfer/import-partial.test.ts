import { expect, test } from 'vitest'
import { useCli } from '../../support/service/cli.ts'

const cli = useCli()
const ada = { type: 'user', email: 'ada@example.com', name: 'Ada' }
const acme = { type: 'team', slug: 'acme', name: 'Acme' }
const member = { type: 'member', team: 'acme', user: 'ada@example.com', role: 'owner' }
const invoice = {
  type: 'invoice',
  team: 'acme',
  number: 'ACME-0042',
  status: 'open',
  currency: 'eur',
  invoice_date: '2026-01-31',
  lines: [{ description: 'Seats', quantity: 1, unit_amount: 100 }],
}

test('an import with --partial writes the valid lines, reports the wrong ones and ends with exit status 1', async () => {
  const lines = [ada, acme, { ...acme, slug: 'Bad' }, member, { ...member, user: 'nobody@example.com' }, invoice]
  const { status, stdout, stderr } = await cli.import(lines, '--partial')
  expect({ status, stderr, rows: stdout.split('\n').map((row) => row.split(/ +/)) }).toEqual({
    status: 1,
    stderr: [
      'line 3: team Bad: slug: The slug field must be lower-case letters, digits and single hyphens.',
      'line 5: member nobody@example.com of acme: user: There is no user nobody@example.com.',
      '2 wrong lines, the others were written\n',
    ].join('\n'),
    rows: [
      ['TYPE', 'READ', 'CREATED', 'UPDATED', 'UNCHANGED'],
      ['user', '1', '1', '0', '0'],
      ['team', '1', '1', '0', '0'],
      ['member', '1', '1', '0', '0'],
      ['app', '0', '0', '0', '0'],
      ['invoice', '1', '1', '0', '0'],
      ['token', '0', '0', '0', '0'],
      ['client', '0', '0', '0', '0'],
      ...['webhook', 'domain', 'identity_provider', 'group_role', 'linked_identity'].map((type) => [type, '0', '0', '0', '0']),
      [''],
    ],
  })
  const { rows } = await cli.pool.query(
    'SELECT (SELECT count(*) FROM users) AS users, (SELECT count(*) FROM teams) AS teams, (SELECT count(*) FROM invoices) AS invoices',
  )
  expect(rows).toEqual([{ users: '1', teams: '1', invoices: '1' }])
})
