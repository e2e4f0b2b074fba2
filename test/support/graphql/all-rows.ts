import type { TestService } from '../service/service.ts'

/** Reads every row that a mutation could change. */
export const readAllRows = ({ database: { prisma } }: Pick<TestService, 'database'>) =>
  Promise.all([
    prisma.user.findMany(),
    prisma.team.findMany(),
    prisma.member.findMany(),
    prisma.invitation.findMany(),
    prisma.accessToken.findMany(),
    prisma.oAuthGrant.findMany(),
    prisma.oAuthClient.findMany({ include: { secrets: true } }),
    prisma.signingKey.findMany(),
    prisma.session.findMany(),
    prisma.recoveryCode.findMany(),
    prisma.passkey.findMany(),
    prisma.mailLink.findMany(),
  ])
