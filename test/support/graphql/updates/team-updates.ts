import { pngImage } from '../../data/png.ts'
import { createDomain } from '../../domains/domain.ts'
import { createProvider } from '../../domains/required-sign-in.ts'
import { executeAs, operator } from '../../service/in-process.ts'
import type { Update, Updates } from './update.ts'

const picture = pngImage.toString('base64')
const [soon, later] = ['2030-01-01T00:00:00.000Z', '2031-01-01T00:00:00.000Z']

/** Changes of teams, members and the profile of a user. */
export const teamUpdates: Updates = {
  updateTeam: async ({ service, team, principal }) => {
    const input = { team: team.slug, timezone: 'Europe/Kyiv', gravatarEmail: 'crew@example.com', logo: picture }
    const document = 'mutation ($input: UpdateTeamInput!) { updateTeam(input: $input) { team { slug } } }'
    await executeAs(service, principal, document, { input })
    return {
      principal,
      object: { team: team.slug },
      table: 'teams',
      row: { id: team.id },
      fields: {
        name: { value: 'Northwind' },
        timezone: { value: 'Europe/Paris' },
        gravatarEmail: { value: 'other@example.com' },
        logo: { value: picture, columns: ['logo_id'] },
      },
    }
  },
  updateBillingDetails: async ({ service, team }) => {
    const data = { billingName: 'Acme Ltd', billingAddress: '1 Main Street', vatId: 'DE123456789', invoiceRecipients: ['a@example.com'] }
    await service.database.prisma.team.update({ where: { id: team.id }, data })
    return {
      ...ofTeam(team),
      fields: {
        name: { value: 'Northwind Ltd', columns: ['billing_name'] },
        address: { value: '2 Main Street', columns: ['billing_address'] },
        vatId: { value: 'FR12345678901' },
        recipients: { value: ['b@example.com'], columns: ['invoice_recipients'] },
      },
    }
  },
  updateMember: async ({ service, team, member, principal }) => {
    const data = { role: 'billing', allApplications: false, applications: ['flow'] } as const
    await service.database.prisma.member.updateMany({
      where: { teamId: team.id, userId: member.id },
      data: { ...data, applications: ['flow'] },
    })
    return {
      principal,
      object: { team: team.slug, userId: member.id },
      table: 'members',
      row: { team_id: team.id, user_id: member.id },
      fields: {
        role: { value: 'MEMBER' },
        // Null is a value of its own: all products, including later ones.
        accessibleAppIds: { value: ['DEPLOY'], columns: ['all_applications', 'applications'] },
      },
    }
  },
  setTwoFactorRequirement: async ({ service, team }) => {
    await service.database.prisma.team.update({ where: { id: team.id }, data: { twoFactorRequiredAt: new Date(soon) } })
    return { ...ofTeam(team), fields: { graceDays: { value: 9, columns: ['two_factor_required_at'] } } }
  },
  setSignInRequirement: async ({ service, team }) => {
    await createDomain(service.database, team)
    const [provider, other] = [await createProvider(service, team), await createProvider(service, team, { name: 'Entra' })]
    const data = { signInProviderId: provider.id, signInRequiredAt: new Date(soon), signInRequirementSetAt: new Date() }
    await service.database.prisma.team.update({ where: { id: team.id }, data })
    // Without a requirement there is no time, either.
    const columns = ['sign_in_provider_id', 'sign_in_required_at', 'sign_in_requirement_set_at']
    return {
      ...ofTeam(team),
      fields: { providerId: { value: other.id, columns }, from: { value: later, columns: ['sign_in_required_at'] } },
    }
  },
  updateProfile: async ({ service, owner, principal }) => {
    const document = 'mutation ($input: UpdateProfileInput!) { updateProfile(input: $input) { user { name } } }'
    await executeAs(service, principal, document, { input: { timezone: 'Asia/Kolkata', dateFormat: 'YEAR_MONTH_DAY', picture } })
    return {
      principal,
      object: {},
      table: 'users',
      row: { id: owner.id },
      fields: {
        name: { value: 'Grace' },
        timezone: { value: 'Europe/Paris' },
        dateFormat: { value: 'MONTH_DAY_YEAR' },
        picture: { value: picture, columns: ['picture_id'] },
      },
    }
  },
}

const ofTeam = ({ id, slug }: { id: string; slug: string }): Omit<Update, 'fields'> => ({
  principal: operator,
  object: { team: slug },
  table: 'teams',
  row: { id },
})
