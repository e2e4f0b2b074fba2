import { beforeAll, describe, expect, test } from 'vitest'
import { createOwnedTeam } from '../../support/data/team.ts'
import type { OwnedTeam } from '../../support/data/team.ts'
import { useMeasuredService } from '../../support/processes/measured/measured-service.ts'

// Bodies as large as REST and the authorization server read them.

const service = useMeasuredService({ RATE_LIMIT_API: '0', RATE_LIMIT_CLIENT_SECRET: '0' })
let owned: OwnedTeam
beforeAll(async () => {
  owned = await createOwnedTeam(service.database)
})
const list = (count: number, each: (index: number) => string) => Array.from({ length: count }, (_, index) => each(index)).join()

describe('a JSON body', () => {
  test.each<[name: string, body: string]>([
    ['50,000 numbers', `[${list(50_000, () => '0')}]`],
    ['thousands of names', `{${list(7500, (index) => `"name${index}":0`)}}`],
    ['one name thousands of times', `{${list(11_000, () => '"name":0')}}`],
    ['lists within each other', '['.repeat(50_000) + ']'.repeat(50_000)],
    ['objects within each other', `{"name":${'{"a":'.repeat(16_000)}0${'}'.repeat(16_000)}}`],
    ['wrong values in a list', `{"accessible_app_ids":[${list(30_000, () => '{}')}],"role":"member"}`],
    ['values that are repeated in a list', `{"accessible_app_ids":[${list(12_000, () => '"flow"')}],"role":"member"}`],
    ['an address of at signs', `{"email":"${'@'.repeat(100_000)}","gravatar_email":"${'@'.repeat(200)}","role":"member"}`],
    ['an address of dots', `{"email":"a@${'a.'.repeat(45_000)}","gravatar_email":"a@${'a.'.repeat(2000)}","role":"member"}`],
    ['a name of blanks', `{"name":"a${' '.repeat(100_000)}a"}`],
    ['escapes', `{"name":"${'\\u0061'.repeat(16_000)}"}`],
  ])('of 100 KiB with %s does not block the process', async (_, body) => {
    const { team, owner, token } = owned
    const path = `/api/v1/teams/${team.slug}`
    for (const [method, to] of [
      ['PATCH', path],
      ['POST', `${path}/invitations`],
      ['PATCH', `${path}/members/${owner.id}`],
    ] as const) {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
      const { status } = await service.expectShortTurns(() => fetch(service.url + to, { method, headers, body }))
      expect(status).toBeLessThan(500)
    }
  })
})

describe('a form of the authorization server', () => {
  const token = (text: string) => ({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: text })
  const forms: Record<string, string> = {
    'thousands of parameters': list(2500, (index) => `${index}=0`).replaceAll(',', '&'),
    'one parameter thousands of times': 'scope=a&'.repeat(1000),
    'a scope of blanks': `grant_type=client_credentials&client_id=a&scope=${'+'.repeat(8000)}`,
    'an assertion of dots': new URLSearchParams({ client_id: 'a', ...token('.'.repeat(8000)) }).toString(),
    'an assertion with nested claims': new URLSearchParams({
      client_id: 'a',
      ...token(`${Buffer.from('['.repeat(2900) + ']'.repeat(2900)).toString('base64url')}.e30.x`),
    }).toString(),
    escapes: `code=${'%ff'.repeat(2600)}`,
  }
  test.each(Object.keys(forms))('with %s does not block the process', async (name) => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const { status } = await service.expectShortTurns(() =>
      fetch(`${service.url}/api/oauth/token`, { method: 'POST', headers, body: forms[name] ?? '' }),
    )
    expect(status).toBeLessThan(500)
    expect(status).not.toBe(404)
  })
})
