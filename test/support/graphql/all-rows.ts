import type { TestService } from '../service/service.ts'

// The use of these is recorded in the background, which changes the order of rows in the table.
const orderBy = { id: 'asc' } as const

/** Reads every row that a mutation could change, without what is recorded in the background. */
export const readAllRows = ({ database: { prisma } }: Pick<TestService, 'database'>) =>
  Promise.all([
    prisma.user.findMany({ omit: { lastActiveAt: true, lastTeamId: true }, orderBy }),
    prisma.team.findMany(),
    prisma.member.findMany(),
    prisma.invitation.findMany(),
    prisma.accessToken.findMany({ orderBy }),
    prisma.oAuthGrant.findMany({ orderBy }),
    prisma.oAuthClient.findMany({ include: { secrets: true } }),
    prisma.signingKey.findMany(),
    prisma.session.findMany({ orderBy }),
    prisma.recoveryCode.findMany(),
    // The use of a passkey is recorded before the change that it allows.
    prisma.passkey.findMany({ omit: { counter: true, lastUsedAt: true } }),
    prisma.mailLink.findMany(),
    prisma.groupRole.findMany(),
    prisma.scimUser.findMany(),
    prisma.directoryRemoval.findMany(),
    prisma.scimGroup.findMany(),
    prisma.scimGroupMember.findMany(),
    prisma.webhook.findMany({ orderBy }),
    prisma.webhookDelivery.findMany({ orderBy }),
    prisma.webhookRetry.findMany(),
    prisma.identityProvider.findMany({ orderBy }),
    prisma.externalIdentity.findMany({ orderBy }),
    prisma.workloadIdentity.findMany({ omit: { lastUsedAt: true }, orderBy }),
    prisma.initialAccessToken.findMany({ orderBy }),
    prisma.supportSession.findMany({ orderBy }),
    prisma.teamDomain.findMany({ orderBy }),
  ])

/** Returns these rows as text, without the last use of credentials and in a fixed order. */
export async function readStoredText(service: Pick<TestService, 'database'>): Promise<string> {
  const tables: readonly object[][] = await readAllRows(service)
  const toText = (row: object) => JSON.stringify(row, (key: string, value: unknown) => (key === 'lastUsedAt' ? undefined : value))
  return tables.map((each) => each.map(toText).toSorted().join('\n')).join('\n\n')
}
