import type { TestService } from '../support/service.ts'

/** Every row a mutation could have touched. */
export const everything = ({ database: { prisma } }: Pick<TestService, 'database'>) =>
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
