import { randomBytes } from 'node:crypto'
import type { OpenDatabase } from '../../../prisma/connection/database.ts'
import type { Member, Team, User } from '../../../prisma/generated/client/client.ts'
import type { Application, Role } from '../../../prisma/generated/client/enums.ts'
import { tokenScopes } from '../../../schema/core/scopes.ts'
import type { Scope } from '../../../schema/core/scopes.ts'
import { sha256 } from '../../../schema/core/sha256.ts'
import { createTokenValue } from '../../../schema/tokens/token-value.ts'
import { addSecret } from '../service/secrets/secrets-in-logs.ts'

/** Returns a name that no other test of the run uses. */
export const unique = (prefix: string) => `${prefix}-${randomBytes(5).toString('hex')}`

export const createTeam = ({ prisma }: OpenDatabase, data: Partial<Team> = {}): Promise<Team> =>
  prisma.team.create({ data: { slug: unique('team'), name: 'Acme', ...data } })

export const createUser = ({ prisma }: OpenDatabase, data: Partial<User> = {}): Promise<User> =>
  prisma.user.create({ data: { email: `${unique('user')}@example.test`, name: 'Ada', emailVerified: true, ...data } })

/** Makes a user a member. Without `apps` the member can access all applications. */
export const join = (
  { prisma }: OpenDatabase,
  team: Team,
  user: User,
  role: Role,
  apps: Application[] | null = null,
  joinedAt = new Date(),
): Promise<Member> =>
  prisma.member.create({
    data: { teamId: team.id, userId: user.id, role, allApplications: apps === null, applications: apps ?? [], joinedAt },
  })

interface TokenOptions {
  name?: string
  scopes?: readonly Scope[]
  expiresAt?: Date
}

/** Creates a team token, by default with every scope, and returns its value. */
export async function teamToken(
  { prisma }: OpenDatabase,
  team: Team,
  { name = 'test', scopes = tokenScopes, expiresAt }: TokenOptions = {},
): Promise<string> {
  const value = createTokenValue('team')
  addSecret(value)
  const token = { name, scopes: [...scopes], expiresAt: expiresAt ?? null, hash: sha256(value), lastFour: value.slice(-4) }
  await prisma.accessToken.create({ data: { kind: 'team', teamId: team.id, ...token } })
  return value
}

/** Creates a personal token, by default with every scope for 30 days, and returns its value. */
export async function personalToken(
  { prisma }: OpenDatabase,
  user: User,
  { name = 'test', scopes = tokenScopes, expiresAt }: TokenOptions = {},
): Promise<string> {
  const value = createTokenValue('personal')
  addSecret(value)
  const token = { name, scopes: [...scopes], hash: sha256(value), lastFour: value.slice(-4) }
  const expires = expiresAt ?? new Date(Date.now() + 30 * 86_400_000)
  await prisma.accessToken.create({ data: { kind: 'personal', userId: user.id, expiresAt: expires, ...token } })
  return value
}

export interface OwnedTeam {
  team: Team
  owner: User
  /** A personal token of the owner with every scope. */
  token: string
}

/** Creates a team with an owner and a personal token of the owner with every scope. */
export async function createOwnedTeam(database: OpenDatabase, data: Partial<Team> = {}): Promise<OwnedTeam> {
  const team = await createTeam(database, data)
  const owner = await createUser(database)
  await join(database, team, owner, 'owner')
  return { team, owner, token: await personalToken(database, owner) }
}
