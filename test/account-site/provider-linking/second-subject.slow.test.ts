import { describe, expect, test } from 'vitest'
import { useProviders } from '../../support/identity-providers/provider.ts'
import { secondSubject } from '../../support/identity-providers/second-subject.ts'
import type { Change, Extra, Kind, Origin, Outcome, State } from '../../support/identity-providers/second-subject.ts'
import { canIssueCertificates } from '../../support/postgres/certificates.ts'
import { useSigners } from '../../support/saml/provider.ts'
import { useService } from '../../support/service/service.ts'

// A newcomer whom the provider of a team states with the address of somebody else never gets into that account
// (docs/decisions/identity-providers.md#identity-and-linking).

const service = useService({ hostname: 'localhost' })
const { prisma } = service.database
const signers = useSigners('own')
const providers = useProviders(service.clock.now)
const { prepare, belongings, outcomeOf, newcomer } = secondSubject({ service, providers, signer: () => signers.own })

const nothing = 'nothing else'
const much = 'a passkey and another team'
const [provider, directory, unused] = ['made by the provider', 'made by the directory', 'made by the directory, never used'] as const

const rows: [origin: Origin, extra: Extra, state: State, change: Change, outcome: Outcome][] = [
  // The first person has signed in through the provider.
  [provider, nothing, 'member', 'nothing else changed', 'refused'],
  [provider, nothing, 'removed', 'nothing else changed', 'moved, member'],
  [provider, nothing, 'deactivated', 'nothing else changed', 'moved'],
  [provider, nothing, 'deleted', 'nothing else changed', 'moved'],
  [provider, nothing, 'renamed', 'nothing else changed', 'moved, member'],
  [provider, much, 'member', 'nothing else changed', 'refused'],
  [provider, much, 'removed', 'nothing else changed', 'moved, member'],
  [provider, much, 'deactivated', 'nothing else changed', 'moved'],
  [provider, much, 'renamed', 'nothing else changed', 'moved, member'],
  [directory, nothing, 'member', 'nothing else changed', 'refused'],
  [directory, nothing, 'removed', 'nothing else changed', 'moved, member'],
  [directory, nothing, 'deactivated', 'nothing else changed', 'moved'],
  [directory, nothing, 'deleted', 'nothing else changed', 'moved'],
  [directory, much, 'member', 'nothing else changed', 'refused'],
  [directory, much, 'deactivated', 'nothing else changed', 'moved'],
  ['own', nothing, 'member', 'nothing else changed', 'refused'],
  ['own', nothing, 'removed', 'nothing else changed', 'moved, member'],
  ['own', much, 'member', 'nothing else changed', 'refused'],
  ['own', much, 'removed', 'nothing else changed', 'moved, member'],
  ['own', much, 'deactivated', 'nothing else changed', 'moved'],
  ['own', much, 'deleted', 'nothing else changed', 'moved'],
  ['own', much, 'renamed', 'nothing else changed', 'moved, member'],
  // Nobody has signed in to it through the provider.
  [unused, nothing, 'member', 'nothing else changed', 'linked'],
  [unused, nothing, 'removed', 'nothing else changed', 'proof'],
  [unused, nothing, 'deactivated', 'nothing else changed', 'proof'],
  [unused, nothing, 'deleted', 'nothing else changed', 'proof'],
  [unused, nothing, 'renamed', 'nothing else changed', 'moved, member'],
  [unused, much, 'member', 'nothing else changed', 'proof'],
  [unused, much, 'removed', 'nothing else changed', 'proof'],
  [unused, much, 'deactivated', 'nothing else changed', 'proof'],
  [unused, much, 'deleted', 'nothing else changed', 'proof'],
  [unused, much, 'renamed', 'nothing else changed', 'moved, member'],
  // The address does not count.
  [provider, much, 'member', 'the domain lost', 'new without address'],
  [provider, much, 'removed', 'the domain lost', 'new without address'],
  [unused, nothing, 'member', 'the domain lost', 'new without address'],
  // The subjects of another issuer are other people, or the same ones.
  [provider, nothing, 'member', 'the issuer changed', 'linked'],
  [provider, nothing, 'removed', 'the issuer changed', 'proof'],
  [provider, nothing, 'deactivated', 'the issuer changed', 'proof'],
  [provider, nothing, 'renamed', 'the issuer changed', 'moved, member'],
  [provider, much, 'member', 'the issuer changed', 'proof'],
  ['own', nothing, 'member', 'the issuer changed', 'proof'],
  ['own', much, 'removed', 'the issuer changed', 'proof'],
]
const kinds: readonly Kind[] = canIssueCertificates ? ['oidc', 'saml'] : ['oidc']

describe.each(kinds)('at a provider (%s), a newcomer with the address of an account', (kind) => {
  test.each(rows)('%s, with %s, of a person who is %s, %s: %s', async (origin, extra, state, change, outcome) => {
    const scene = await prepare(kind, origin, extra, state, change)
    const before = await belongings(scene)
    const mails = service.mails.length
    expect(await outcomeOf(scene, await scene.signIn(newcomer(scene)))).toBe(outcome)
    if (outcome === 'linked') return
    expect(await belongings(scene)).toEqual(before)
    const entries = await prisma.auditEntry.findMany({ where: { teamId: scene.directory.team.id, action: 'moveAddress' } })
    const sent = service.mails.slice(mails).filter(({ kind }) => kind === 'address-moved')
    if (!outcome.startsWith('moved')) return expect([entries, sent]).toEqual([[], []])
    const { id } = await prisma.user.findUniqueOrThrow({ where: { email: scene.email } })
    const { email, first } = scene
    expect(entries).toMatchObject([
      { subject: first.id, subjectName: email, before: { email }, after: { movedTo: id }, actorKind: 'user', actorUserId: id },
    ])
    const { team, owner } = scene.directory
    expect(sent).toMatchObject([{ userId: owner.id, data: { team: team.name, slug: team.slug, email } }])
  })
})
