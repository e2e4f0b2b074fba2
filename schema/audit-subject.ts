import type { Transaction } from '../prisma/client.ts'

/** What the subject of an action is an identifier of; any other action's says by itself what it is. */
const subjects: Readonly<Record<string, 'person' | 'token' | 'grant'>> = {
  updateMember: 'person',
  removeMember: 'person',
  leaveTeam: 'person',
  acceptInvitation: 'person',
  declineInvitation: 'person',
  createTeamToken: 'token',
  rotateToken: 'token',
  revokeToken: 'token',
  cutTeamFromToken: 'token',
  revokeGrant: 'grant',
  narrowGrant: 'grant',
  cutTeamFromGrant: 'grant',
}

interface Named {
  action: string
  subject: string
}

/**
 * Names for the subjects of a page of entries, in three statements however many there are. By the action and not by the
 * form of the subject: a slug can be chosen to look like the identifier of somebody elsewhere.
 */
export async function nameSubjects(prisma: Transaction, entries: readonly Named[]) {
  const idsOf = (kind: string) => ({
    id: { in: [...new Set(entries.filter(({ action }) => subjects[action] === kind).map(({ subject }) => subject))] },
  })
  const [people, tokens, grants] = await Promise.all([
    prisma.user.findMany({ where: idsOf('person'), select: { id: true, name: true } }),
    prisma.accessToken.findMany({ where: idsOf('token'), select: { id: true, name: true } }),
    prisma.oAuthGrant.findMany({ where: idsOf('grant'), select: { id: true, client: { select: { name: true } } } }),
  ])
  const names = new Map([...people, ...tokens].map(({ id, name }) => [id, name]))
  for (const { id, client } of grants) names.set(id, client.name)
  return ({ action, subject }: Named): string | null => (action in subjects ? (names.get(subject) ?? null) : null)
}
