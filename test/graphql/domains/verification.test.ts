import { describe, expect, test } from 'vitest'
import type { Team } from '../../../prisma/generated/client/client.ts'
import { createOwnedTeam, createUser, join, teamToken, unique } from '../../support/data/team.ts'
import { createDomain } from '../../support/domains/domain.ts'
import { publishTxt } from '../../support/domains/name-server.ts'
import { graphql } from '../../support/http/graphql.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
const { prisma } = database

const fields = 'domain { domainId domain recordName recordValue verifiedAt checkedAt missingSince }'
const add = `mutation ($team: String!, $domain: String!) { addTeamDomain(input: { team: $team, domain: $domain }) { ${fields} } }`
const verify = `mutation ($id: ID!) { verifyTeamDomain(input: { id: $id }) { ${fields} } }`
const remove = 'mutation ($id: ID!) { removeTeamDomain(input: { id: $id }) { domain { domain } } }'

async function createScene() {
  const { team, owner } = await createOwnedTeam(database)
  const session = await sessionOf(service, owner)
  const addDomain = (domain: string) => executeAs(service, session, add, { team: team.slug, domain })
  const verifyDomain = (id: string) => executeAs(service, session, verify, { id })
  return { team, owner, session, addDomain, verifyDomain }
}

describe('a domain', () => {
  test('is verified by its TXT record, at the name server of the settings', async () => {
    const { addDomain, verifyDomain } = await createScene()
    const name = `${unique('mail')}.example`
    const { data } = await addDomain(`@${name.toUpperCase()}.`)
    const { domain } = data.addTeamDomain
    expect(domain).toEqual({
      domainId: expect.any(String),
      domain: name,
      recordName: `_team-account.${name}`,
      recordValue: expect.stringMatching(/^team-account-verification=[\w-]{27}$/),
      verifiedAt: null,
      checkedAt: null,
      missingSince: null,
    })
    await publishTxt(service, domain.recordName, ['v=spf1 -all', domain.recordValue])
    const verified = await verifyDomain(domain.domainId)
    expect(verified.data.verifyTeamDomain.domain).toMatchObject({ verifiedAt: expect.any(String), checkedAt: expect.any(String) })
  })

  test('can have characters beyond ASCII, as in addresses', async () => {
    const { addDomain } = await createScene()
    const { data } = await addDomain('M\u00fcnchen-Mail.example')
    expect(data.addTeamDomain.domain.domain).toBe('xn--mnchen-mail-thb.example')
  })

  test.each([
    ['com', 'The domain field must be a domain such as example.com.'],
    ['co.uk', 'Anyone can register a domain under co.uk, so no team can verify it.'],
    ['github.io', 'Anyone can register a domain under github.io, so no team can verify it.'],
    ['gmail.com', 'Anyone can get an email address at gmail.com, so no team can verify this domain.'],
    ['no-address.invalid', 'No email address at no-address.invalid can receive email, so no team can verify this domain.'],
    ['192.0.2.1', 'The domain field must be a domain such as example.com.'],
    ['[::1]', 'The domain field must be a domain such as example.com.'],
    ['-a.example', 'The domain field must be a domain such as example.com.'],
    ['a..example', 'The domain field must be a domain such as example.com.'],
    ['a_b.example', 'The domain field must be a domain such as example.com.'],
    ['ada@example.com', 'The domain field must be a domain such as example.com.'],
    ['https://example.com/', 'The domain field must be a domain such as example.com.'],
    ['', 'The domain field is required.'],
    [`${'a'.repeat(60)}.`.repeat(4) + 'example', 'The domain field must not be greater than 239 characters.'],
  ])('cannot be %s', async (domain, message) => {
    const { addDomain } = await createScene()
    expect((await addDomain(domain)).refusal?.details.errors).toEqual({ domain: [message] })
  })

  test('can be added once, and only ten by a team', async () => {
    const { team, addDomain } = await createScene()
    const { domain } = await createDomain(database, team, { verifiedAt: null })
    expect((await addDomain(domain)).refusal?.message).toBe(`The team has already added ${domain}.`)
    for (let count = 1; count < 10; count++) await createDomain(database, team)
    expect((await addDomain('eleventh.example')).refusal?.message).toBe('A team can have at most 10 domains. Remove one first.')
  })

  test('is changed only by an owner who signed in recently, in a session', async () => {
    const { team } = await createScene()
    const { id } = await createDomain(database, team)
    const member = await createUser(database)
    await join(database, team, member, 'member')
    const session = await sessionOf(service, member)
    for (const document of [verify, remove])
      expect((await executeAs(service, session, document, { id })).refusal?.code).toBe('role_required')
    const stranger = await sessionOf(service, await createUser(database))
    for (const document of [verify, remove]) expect((await executeAs(service, stranger, document, { id })).refusal?.code).toBe('not_found')
    const read = `{ team(slug: "${team.slug}") { domains { domainId } domain(id: "${id}") { domain } } }`
    expect((await executeAs(service, session, read)).refusal?.code).toBe('role_required')
    const { data } = await graphql(service, await teamToken(database, team), read)
    expect(data.team.domains).toEqual([{ domainId: id }])
  })
})

describe('a domain whose record is not found', () => {
  const cases: Record<
    string,
    { publish: (name: string, value: string) => [string, string[] | null][]; message: (name: string) => string }
  > = {
    'is missing': { publish: () => [], message: (name) => `There is no TXT record _team-account.${name}.` },
    'has other values': {
      publish: (name) => [[`_team-account.${name}`, ['team-account-verification=old', '\u0007<b>']]],
      message: (name) => `The TXT record _team-account.${name} has another value: “team-account-verification=old”, “?<b>”.`,
    },
    'is at the domain itself': {
      publish: (name, value) => [[name, [value]]],
      message: (name) => `The TXT record is at ${name}. Its name must be _team-account.${name}.`,
    },
    'has the domain twice': {
      publish: (name, value) => [[`_team-account.${name}.${name}`, [value]]],
      message: (name) => `The TXT record is at _team-account.${name}.${name}. Its name must be _team-account.${name}.`,
    },
    'is at a name server with a fault': {
      publish: (name) => [[`_team-account.${name}`, null]],
      message: (name) => `The TXT record _team-account.${name} could not be looked up: its name servers have a fault.`,
    },
  }
  test.each(Object.entries(cases))('%s: the error says so, and the domain stays unverified', async (_, { publish, message }) => {
    const { team, verifyDomain } = await createScene()
    const { id, domain, value } = await createDomain(database, team, { verifiedAt: null, checkedAt: null })
    await publishTxt(service, 'other.example', [])
    for (const [name, values] of publish(domain, value)) await publishTxt(service, name, values)
    expect((await verifyDomain(id)).refusal?.details.errors).toEqual({ id: [message(domain)] })
    expect(await prisma.teamDomain.findUniqueOrThrow({ where: { id } })).toMatchObject({ verifiedAt: null, checkedAt: null })
  })
})

describe('of two teams with one domain', () => {
  /** Two teams that added the same domain, whose record has the values of both. */
  async function createRivals() {
    const domain = `${unique('rivals')}.example`
    const scenes = await Promise.all([createScene(), createScene()])
    const rows = await Promise.all(scenes.map(({ team }) => createDomain(database, team, { domain, verifiedAt: null })))
    await publishTxt(
      service,
      `_team-account.${domain}`,
      rows.map(({ value }) => value),
    )
    return { domain, rivals: scenes.map((scene, index) => Object.assign(scene, { id: rows[index]?.id ?? '' })) }
  }
  const verifiedBy = async (domain: string) => (await prisma.teamDomain.findMany({ where: { domain, verifiedAt: { not: null } } })).length

  test('exactly one verifies it when both do at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const { domain, rivals } = await createRivals()
      const outcomes = await Promise.all(rivals.map(({ id, verifyDomain }) => verifyDomain(id)))
      expect(outcomes.map(({ refusal }) => refusal?.message ?? '').toSorted((a, b) => a.length - b.length)).toEqual([
        '',
        `Another team has already verified ${domain}.`,
      ])
      expect(await verifiedBy(domain)).toBe(1)
    }
  })

  test('the other can add and verify it once the first has removed it', async () => {
    const { domain, rivals } = await createRivals()
    const [first, second] = rivals
    if (!first || !second) return expect.unreachable()
    await first.verifyDomain(first.id)
    const third = await createScene()
    expect((await third.addDomain(domain)).refusal?.message).toBe(`Another team has already verified ${domain}.`)
    expect((await executeAs(service, first.session, remove, { id: first.id })).refusal).toBeNull()
    expect((await second.verifyDomain(second.id)).refusal).toBeNull()
  })
})

test('the last verified domain of a team that requires sign-in through its provider cannot be removed', async () => {
  const { team, session } = await createScene()
  const provider = await createProviderOf(team)
  await prisma.team.update({ where: { id: team.id }, data: { signInProviderId: provider, signInRequiredAt: new Date() } })
  const [first, last] = [await createDomain(database, team), await createDomain(database, team)]
  const removal = async (id: string) => (await executeAs(service, session, remove, { id })).refusal?.message ?? null
  expect(await removal(first.id)).toBeNull()
  expect(await removal(last.id)).toBe('The team requires sign-in for its verified domain. Turn that off first.')
})

const createProviderOf = async ({ id: teamId }: Team) =>
  (await prisma.identityProvider.create({ data: { teamId, kind: 'oidc', name: 'Okta', issuer: 'https://okta.example', clientId: 'x' } })).id
