import { describe, expect, test } from 'vitest'
import { createTokenValue } from '../../../schema/tokens/token-value.ts'
import { runCli, useCli } from '../../support/service/cli.ts'

const { env, pool } = useCli()
const ada = { type: 'user', email: 'ada@example.com', name: 'Ada' }
const acme = { type: 'team', slug: 'acme', name: 'Acme' }
const member = { type: 'member', team: 'acme', user: 'ada@example.com', role: 'owner' }
const app = { type: 'app', team: 'acme', id: 'flow', name: 'Flow' }
const line = { description: 'Seats', quantity: 1, unit_amount: 100 }
const invoice = {
  type: 'invoice',
  team: 'acme',
  number: 'ACME-0042',
  status: 'open',
  currency: 'eur',
  invoice_date: '2026-01-31',
  lines: [line],
}
const token = { type: 'token', kind: 'team', team: 'acme', name: 'ci', scopes: ['teams'], sha256: 'a'.repeat(64) }
const personal = { ...token, kind: 'personal', team: undefined, user: 'ada@example.com', expires_at: '2026-01-01T00:00:00Z' }
const value = createTokenValue('team')
const maximum = Number.MAX_SAFE_INTEGER
const inYears = (years: number) => new Date(Date.now() + years * 366 * 86_400_000).toISOString()
const instantMessage = 'must be an RFC 3339 instant such as 2026-01-31T09:30:00Z.'
const dateMessage = 'must be a date of the calendar such as 2026-01-31.'

function wrongPassword(password: string, message: string): [object, string] {
  return [{ ...ada, password }, `user ada@example.com: password: The password field ${message}`]
}

// [line, its error after `line N: `]
const wrong: [string | object, string][] = [
  ['{"type":"user"', 'not JSON from column 15 on'],
  ['[]', 'not a JSON object'],
  ['null', 'not a JSON object'],
  ['{"type":"team","slug":"a","name":"A","slug":"b"}', 'slug: is in the object twice'],
  ['{"type":"team","slug":"a","name":"A","na\\u006de" : "}{\\""}', 'name: is in the object twice'],
  ['{"type":"invoice","lines":[{"quantity":1,"unit_amount":2,"quantity":3}]}', 'quantity: is in the object twice'],
  [{ type: 'usr' }, 'type: must be one of user, team, member, app, invoice, token, client'],
  [{ type: 'constructor' }, 'type: must be one of user, team, member, app, invoice, token, client'],
  [{ ...ada, emial: 'x' }, 'user ada@example.com: emial: A record of type user has no such member.'],
  [{ ...ada, email: 'ada' }, 'user ada: email: The email field must be a valid email address.'],
  [{ type: 'user', email: 'x@example.com' }, 'user x@example.com: name: The name field is required.'],
  [{ ...ada, name: '\0' }, 'user ada@example.com: name: The name field contains characters that cannot be stored.'],
  [
    '{"type":"user","email":"a@example.com","name":"\\ud800"}',
    'user a@example.com: name: The name field contains characters that cannot be stored.',
  ],
  [{ ...ada, name: 'x'.repeat(256) }, 'user ada@example.com: name: The name field must not be greater than 255 characters.'],
  wrongPassword('short', 'must be at least 8 characters.'),
  wrongPassword('x'.repeat(129), 'must not be greater than 128 characters.'),
  wrongPassword('Password1', 'is easy to guess. Choose a longer one, for example several unrelated words.'),
  wrongPassword('ada@example', 'must not consist of your name, your email address or the name of this service. Choose another one.'),
  wrongPassword(
    '$argon2i$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaA',
    'must be an argon2id hash in PHC string form, with at most 256 MiB and 16 passes.',
  ),
  [{ ...ada, email_verified: 'yes' }, 'user ada@example.com: email_verified: The email verified field must be true or false.'],
  [{ ...acme, slug: 'A b' }, 'team A b: slug: The slug field must be lower-case letters, digits and single hyphens.'],
  [{ ...acme, timezone: 'Mars/Olympus' }, 'team acme: timezone: The selected timezone is invalid.'],
  [{ ...acme, created_at: '2026-02-30T00:00:00Z' }, `team acme: created_at: The created at field ${instantMessage}`],
  [{ ...acme, created_at: '2026-01-31T00:00:00' }, `team acme: created_at: The created at field ${instantMessage}`],
  [{ ...acme, created_at: '0001-01-01T00:00:00+02:00' }, `team acme: created_at: The created at field ${instantMessage}`],
  [{ ...member, role: 'admin' }, 'member ada@example.com of acme: role: The selected role is invalid.'],
  [{ ...member, team: 'nowhere' }, 'member ada@example.com of nowhere: team: There is no team nowhere.'],
  [{ ...member, user: 'nobody@example.com' }, 'member nobody@example.com of acme: user: There is no user nobody@example.com.'],
  [
    { ...member, accessible_app_ids: ['flow', 'flow'] },
    'member ada@example.com of acme: accessible_app_ids.1: The accessible app ids.1 field has a duplicate value.',
  ],
  [{ ...app, id: 'mail' }, 'app mail of acme: id: The selected id is invalid.'],
  [{ ...app, url: 'javascript:alert(1)' }, 'app flow of acme: url: The url field must be an http or https address.'],
  [{ ...invoice, currency: 'EUR' }, 'invoice ACME-0042: currency: The currency field must be an ISO 4217 code in lower case such as eur.'],
  [{ ...invoice, currency: 'zzz' }, 'invoice ACME-0042: currency: The currency field must be an ISO 4217 code in lower case such as eur.'],
  [{ ...invoice, invoice_date: '2026-02-29' }, `invoice ACME-0042: invoice_date: The invoice date field ${dateMessage}`],
  [{ ...invoice, due_date: '0000-01-01' }, `invoice ACME-0042: due_date: The due date field ${dateMessage}`],
  [
    { ...invoice, period_start: '2026-02-01', period_end: '2026-01-31' },
    'invoice ACME-0042: period_end: The period end field must not be before the period start.',
  ],
  [{ ...invoice, tax: -1 }, 'invoice ACME-0042: tax: The tax field must be at least 0 unless the sum of the lines is negative.'],
  [{ ...invoice, tax: 0.5 }, 'invoice ACME-0042: tax: The tax field must be an integer.'],
  [{ ...invoice, lines: [{ ...line, amout: 1 }] }, 'invoice ACME-0042: lines.0.amout: A record of type invoice has no such member.'],
  [
    { ...invoice, lines: [line, { ...line, quantity: 2 ** 31 }] },
    'invoice ACME-0042: lines.1.quantity: The lines.1.quantity field must not be greater than 2147483647.',
  ],
  [
    { ...invoice, lines: [{ ...line, unit_amount: 2 ** 53 }] },
    'invoice ACME-0042: lines.0.unit_amount: The lines.0.unit amount field must',
  ],
  [
    { ...invoice, lines: [{ ...line, quantity: 2, unit_amount: maximum }] },
    'invoice ACME-0042: lines.0.unit_amount: The lines.0.unit amount field makes the amount of the line larger than can be stored exactly.',
  ],
  [
    { ...invoice, lines: [{ ...line, unit_amount: maximum }, line] },
    'invoice ACME-0042: lines: The lines field makes the subtotal larger than can be stored exactly.',
  ],
  [
    { ...invoice, lines: [{ ...line, unit_amount: maximum }], tax: 1 },
    'invoice ACME-0042: tax: The tax field makes the total larger than can be stored exactly.',
  ],
  [
    { ...invoice, lines: [{ ...line, unit_amount: -maximum }], amount_paid: 1 },
    'invoice ACME-0042: amount_paid: The amount paid field makes the amount due larger than can be stored exactly.',
  ],
  [
    { ...invoice, lines: undefined, currency: undefined },
    'invoice ACME-0042: currency: The currency field is required. (and 1 more error)',
  ],
  [{ ...token, sha256: 'abc' }, 'token ci: sha256: The sha256 field must be 64 hexadecimal digits.'],
  [{ ...token, value }, 'token ci: value: One of value and sha256 is required.'],
  [{ ...token, sha256: undefined }, 'token ci: value: One of value and sha256 is required.'],
  [{ ...token, sha256: undefined, value: `${value.slice(0, -1)}_` }, 'token ci: value: The value field has the wrong form or checksum.'],
  [{ ...token, sha256: undefined, value: createTokenValue('personal') }, 'token ci: value: The value field is that of a personal token.'],
  [{ ...token, scopes: ['openid'] }, 'token ci: scopes.0: The selected scopes.0 is invalid.'],
  [{ ...token, scopes: [] }, 'token ci: scopes: The scopes field must have at least 1 items.'],
  [{ ...token, user: 'ada@example.com' }, 'token ci: user: The user field does not go with a team token.'],
  [{ ...token, team: undefined }, 'token ci: team: The team field is required.'],
  [{ ...token, revoked_teams: ['acme'] }, 'token ci: revoked_teams: The revoked teams field does not go with a team token.'],
  [{ ...personal, expires_at: undefined }, 'token ci: expires_at: The expires at field is required.'],
  [{ ...personal, expires_at: inYears(1.1) }, 'token ci: expires_at: The expires at field must be a date within a year.'],
  [{ ...personal, user: 'nobody@example.com' }, 'token ci: user: There is no user nobody@example.com.'],
]
const text = (lines: readonly (string | object)[]) =>
  lines.map((each) => `${typeof each === 'string' ? each : JSON.stringify(each)}\n`).join('')
const countStored = async () =>
  (await pool.query('SELECT (SELECT count(*) FROM users) + (SELECT count(*) FROM teams) + (SELECT count(*) FROM audit_entries) AS n'))
    .rows[0].n

describe('an import with wrong lines between valid ones', () => {
  const groups = Array.from({ length: Math.ceil(wrong.length / 20) }, (_, index) => wrong.slice(index * 20, index * 20 + 20))

  test.each(groups)('reports each wrong line with its number, record and error, and writes nothing (group %#)', async (...group) => {
    const { status, stdout, stderr } = await runCli(env, ['import', '-'], text([ada, acme, '', ...group.map(([each]) => each)]))
    const reported = stderr.trimEnd().split('\n')
    const expected = group.map(([, message], index) => `line ${index + 4}: ${message}`)
    // A message in the table may omit the end, such as the number of further errors.
    expect(reported.map((each, index) => (each.startsWith(expected[index] ?? each) ? (expected[index] ?? each) : each))).toEqual([
      ...expected,
      `${group.length} wrong lines, nothing was written`,
    ])
    expect({ status, stdout, stored: await countStored() }).toEqual({ status: 1, stdout: '', stored: '0' })
  })

  test('reports the first twenty wrong lines in order and the number of the others', async () => {
    const lines = Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? { ...member, team: 'nowhere' } : 'nonsense'))
    const { status, stderr } = await runCli(env, ['import', '-', '--json'], text(lines))
    const { error } = JSON.parse(stderr)
    expect({ status, ...error, lines: error.lines.map((each: { line: number }) => each.line) }).toEqual({
      status: 1,
      code: 'wrong_lines',
      message: '30 wrong lines, nothing was written',
      wrong: 30,
      lines: Array.from({ length: 20 }, (_, index) => index + 1),
    })
    expect((await runCli(env, ['import', '-'], text(lines))).stderr).toContain(
      '\nand 10 more wrong lines\n30 wrong lines, nothing was written\n',
    )
  })

  test('reports a line that is too long and a truncated last line, and reads the rest of the stream', async () => {
    const { status, stderr } = await runCli(env, ['import', '-'], `\u{feff}${text([ada])}${'x'.repeat(1024 * 1024 + 1)}\r\n{"type":"team"`)
    expect({ status, lines: stderr.split('\n') }).toEqual({
      status: 1,
      lines: ['line 2: the line is longer than 1 MiB', 'line 3: not JSON from column 15 on', '2 wrong lines, nothing was written', ''],
    })
  })
})
