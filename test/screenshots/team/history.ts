import type { User } from '../../../prisma/generated/client/client.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import type { TestService } from '../../support/service/service.ts'
import { billing, member, newcomer, owner, people, secondOwner, teamSlug as team } from './people.ts'

const day = 86_400_000
const mutations = {
  acceptInvitation: ['AnswerInvitationInput!', 'team { slug }'],
  createPersonalToken: ['CreatePersonalTokenInput!', 'value token { id: tokenId }'],
  createTeamToken: ['CreateTeamTokenInput!', 'value token { id: tokenId }'],
  declineInvitation: ['AnswerInvitationInput!', '__typename'],
  deleteTeam: ['DeleteTeamInput!', '__typename'],
  inviteMember: ['InviteMemberInput!', 'invitation { id: invitationId }'],
  removeMember: ['RemoveMemberInput!', '__typename'],
  revokeInvitation: ['InvitationInput!', '__typename'],
  revokeToken: ['RevokeTokenInput!', '__typename'],
  rotateToken: ['RotateTokenInput!', '__typename'],
  updateMember: ['UpdateMemberInput!', '__typename'],
  updateTeam: ['UpdateTeamInput!', '__typename'],
} as const

/** What people did in the team, through the mutations of the product, at the time at which they did it. */
export function createHistory(service: TestService) {
  const { database, clock, url } = service
  const present = () => new Date()
  const users = new Map<string, User>()

  async function userOf(email: string): Promise<User> {
    const user = users.get(email) ?? (await database.prisma.user.findUniqueOrThrow({ where: { email } }))
    users.set(email, user)
    return user
  }

  /** Moves the clock of the service to so many days ago. */
  const at = (daysAgo: number) => clock.advance(present().getTime() - daysAgo * day - clock.now().getTime())

  async function act(email: string, name: keyof typeof mutations, input: object) {
    const [type, selection] = mutations[name]
    const document = `mutation ($input: ${type}) { ${name}(input: $input) { ${selection} } }`
    const { data, refusal } = await executeAs(service, await sessionOf(service, await userOf(email)), document, { input })
    if (refusal) throw new Error(`${name} ${JSON.stringify(input)}: ${refusal.message}`)
    return data[name]
  }

  const inDays = (days: number) => new Date(clock.now().getTime() + days * day).toISOString()
  const use = (value: string) => fetch(`${url}/api/v1/teams/${team}`, { headers: { authorization: `Bearer ${value}` } })

  async function createTokens(): Promise<{ personal: string; teamToken: string }> {
    const ids = { personal: '', teamToken: '' }
    for (const [index, name] of teamTokens.entries()) {
      at(300 - index * 19)
      const scopes = index % 4 === 1 ? everything : ['teams', 'acct:team:members:read', 'acct:team:invoices:read'].slice(0, 1 + (index % 3))
      const expiresAt = index % 3 === 0 ? null : inDays(index === 13 ? 60 : 365)
      const { token, value } = await act(index % 5 === 2 ? secondOwner : owner.email, 'createTeamToken', { team, name, scopes, expiresAt })
      if (index % 4 !== 3) {
        at(index === 1 ? 0.01 : index)
        await use(value)
      }
      if (index === 4) await act(owner.email, 'rotateToken', { id: token.id, overlapSeconds: 604_800 })
      if (index === 6) await act(owner.email, 'revokeToken', { id: token.id })
      if (index === 1) ids.teamToken = token.id
    }
    for (const [index, name] of personalTokens.entries()) {
      at(120 - index * 12)
      const email = index < 4 ? owner.email : (people[index * 3]?.email ?? '')
      const scopes = index % 2 === 0 ? ['teams', 'acct:team:read'] : ['teams', 'acct:team:members:read', 'acct:team:members:write']
      const { token, value } = await act(email, 'createPersonalToken', { name, scopes, expiresAt: inDays(180) })
      at(index / 3)
      await use(value)
      if (index === 0) ids.personal = token.id
    }
    return ids
  }

  /** Returns the identifier of the newcomer's invitation, which is the latest. */
  async function invite(): Promise<string> {
    const send = async (daysAgo: number, to: string, role = 'MEMBER', accessibleAppIds: string[] | null = null) => {
      at(daysAgo)
      return (await act(owner.email, 'inviteMember', { team, email: to, role, accessibleAppIds })).invitation.id
    }
    const left = await send(95, 'sam.porter@agency.example')
    at(94)
    await act(owner.email, 'revokeInvitation', { id: left })
    await send(60, 'old.address@northwind.example', 'BILLING')
    for (const [index, guest] of ['lena.fischer', 'robert.nowak', 'accounting', 'hedvig.almqvist'].entries())
      await send(6 - index, `${guest}@northwind.example`, index === 2 ? 'BILLING' : 'MEMBER', index === 1 ? ['DEPLOY', 'CERT'] : null)
    at(2)
    const contact = people[10]?.email ?? ''
    await act(contact, 'inviteMember', { team: 'contoso', email: newcomer.email, role: 'MEMBER' })
    await act(contact, 'inviteMember', { team: 'contoso', email: member.email, role: 'BILLING' })
    return send(0.1, newcomer.email, 'MEMBER', ['DEPLOY', 'FLOW'])
  }

  async function change(): Promise<void> {
    at(330)
    await act(owner.email, 'updateTeam', { team, gravatarEmail: 'team@northwind.example' })
    at(180)
    await act(owner.email, 'updateTeam', { team, name: 'Northwind' })
    for (const [index, { email }] of people.slice(20, 28).entries()) {
      at(170 - index * 20)
      const userId = (await userOf(email)).id
      await act(index % 3 === 0 ? secondOwner : owner.email, 'updateMember', {
        team,
        userId,
        ...(index === 2 && { role: 'BILLING' }),
        accessibleAppIds: index % 2 === 0 ? ['DEPLOY', 'CERT', 'BACKUP'] : null,
      })
    }
    at(40)
    const guest = { team, email: newcomer.email, role: 'MEMBER' }
    await act(newcomer.email, 'declineInvitation', { id: (await act(owner.email, 'inviteMember', guest)).invitation.id })
    at(30)
    await act(newcomer.email, 'acceptInvitation', { id: (await act(owner.email, 'inviteMember', guest)).invitation.id })
    at(12)
    await act(owner.email, 'removeMember', { team, userId: (await userOf(newcomer.email)).id })
    at(5)
    await act(owner.email, 'deleteTeam', { team: 'adventure-works', confirmSlug: 'adventure-works' })
    at(3)
    await act(owner.email, 'updateMember', { team, userId: (await userOf(billing.email)).id, accessibleAppIds: null })
  }

  return { at, userOf, createTokens, invite, change }
}

const everything = [
  'teams',
  'acct:team:read',
  'acct:team:write',
  'acct:team:apps:read',
  'acct:team:members:read',
  'acct:team:members:write',
]

const teamTokens = [
  'Continuous integration',
  'Terraform',
  'Nightly backup',
  'Invoice import',
  'Status page',
  'Member sync from the directory',
  'Old build server',
  'Staging',
  'Production deploy',
  'Monitoring',
  'Certificate renewal',
  'Data warehouse',
  'Slack notifications',
  'Load test until the launch',
  'On-call dashboard',
]
const personalTokens = [
  'Laptop scripts',
  'Invoices to spreadsheet',
  'Command line',
  'Home server',
  'Reporting',
  'jq experiments',
  'Backup script',
  'Onboarding helper',
  'Editor plug-in',
]
