import { presets } from '../../../schema/workload-identities/presets.ts'
import { createIdentity } from '../../support/identities/identity.ts'
import type { TestService } from '../../support/service/service.ts'
import type { createHistory } from './history.ts'
import { owner, teamSlug } from './people.ts'

const identities = [
  {
    name: 'Deploys',
    issuer: presets.github.issuer,
    conditions: presets.github.listConditions({ projectId: '741258963', environment: 'production', branch: 'main' }),
    scopes: ['acct:team:read', 'acct:team:members:read', 'acct:team:apps:read'],
  },
  {
    name: 'Nightly member report',
    issuer: presets.gitlab.issuer,
    conditions: presets.gitlab.listConditions({ projectId: '2048', branch: 'main' }),
    scopes: ['acct:team:members:read', 'acct:team:members:write', 'acct:team:audit:read'],
  },
  {
    name: 'Kubernetes cluster in Stockholm',
    issuer: 'https://cluster.example.com',
    conditions: [
      { claim: 'sub', value: 'system:serviceaccount:billing:invoice-import' },
      { claim: 'namespace', value: 'billing' },
    ],
    scopes: ['acct:team:invoices:read'],
  },
]

/** Workload identities of three providers. Returns the identifier of the first. */
export async function createIdentities(service: TestService, { at, userOf }: ReturnType<typeof createHistory>): Promise<string> {
  const ids: string[] = []
  const { id: createdById } = await userOf(owner.email)
  for (const [index, identity] of identities.entries()) {
    at(90 - 30 * index)
    const id = await createIdentity(service, { slug: teamSlug }, identity)
    const lastUsedAt = index === 2 ? null : new Date(Date.now() - index * 3_600_000 - 600_000)
    await service.database.prisma.workloadIdentity.update({ where: { id }, data: { createdById, lastUsedAt } })
    ids.push(id)
  }
  at(0)
  return ids[0] ?? ''
}
