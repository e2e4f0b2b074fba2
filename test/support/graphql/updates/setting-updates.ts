import { createDomain } from '../../domains/domain.ts'
import { createIssuer } from '../../identity-providers/issuer.ts'
import { seedProvider } from '../../identity-providers/seed-provider.ts'
import { seedIdentity } from '../../identities/seed-identity.ts'
import { createClient } from '../../oauth/oauth.ts'
import { canIssueCertificates } from '../../postgres/certificates.ts'
import { providerMetadata } from '../../saml/metadata.ts'
import { createSigner } from '../../saml/signer.ts'
import { createWebhook } from '../../webhooks/webhook.ts'
import type { Updates } from './update.ts'

const common = { name: { value: 'Entra' }, groupsClaim: { value: 'roles' }, jitRole: { value: 'MEMBER' } } as const
const stored = { groupsClaim: 'groups', jitRole: 'billing', testedAt: new Date() } as const
const failing = {
  disabledAt: new Date(),
  disabledReason: 'failing',
  failingSince: new Date(),
  failedEvents: 12,
  warnedAt: new Date(),
} as const

const usualUpdates: Updates = {
  updateWebhook: async ({ service, team, principal }) => {
    const { id } = await createWebhook(service, team, 'http://127.0.0.1:9/hook', ['team.updated'])
    await service.database.prisma.webhook.update({ where: { id }, data: { description: 'Note', ...failing } })
    const state = ['disabled_at', 'disabled_reason', 'failing_since', 'failed_events', 'warned_at']
    return {
      principal,
      object: { id },
      table: 'webhooks',
      row: { id },
      fields: {
        team: { value: team.slug, columns: [] },
        url: { value: 'http://127.0.0.1:9/other' },
        description: { value: 'Other' },
        types: { value: ['MEMBER_JOINED'] },
        enabled: { value: true, columns: state },
        continueFrom: { value: 'PRESENT', columns: [] },
      },
    }
  },
  updateWorkloadIdentity: async ({ service, team, owner, principal }) => {
    const id = await seedIdentity(service, team, owner, 'production')
    const data = {
      issuer: await createIssuer(),
      conditions: [
        { claim: 'sub', value: 'a' },
        { claim: 'env', value: 'b' },
      ],
    }
    await service.database.prisma.workloadIdentity.update({ where: { id }, data })
    return {
      principal,
      object: { id },
      table: 'workload_identities',
      row: { id },
      fields: {
        name: { value: 'Staging' },
        issuer: { value: await createIssuer() },
        conditions: {
          value: [
            { claim: 'sub', value: 'c' },
            { claim: 'env', value: 'd' },
          ],
        },
        scopes: { value: ['acct:team:members:read'] },
      },
    }
  },
  'updateIdentityProvider of OpenID Connect': async ({ service, team, principal }) => {
    const id = await seedProvider(service, team, stored)
    return {
      principal,
      object: { id },
      table: 'identity_providers',
      row: { id },
      fields: {
        ...common,
        issuer: { value: await createIssuer(), columns: ['issuer', 'tested_at'] },
        clientId: { value: 'client-2', columns: ['client_id', 'tested_at'] },
        clientSecret: { value: 'another secret', columns: ['client_secret', 'tested_at'] },
        metadata: { value: '<EntityDescriptor/>', isForeign: true },
      },
    }
  },
}

const agentUpdates: Updates = {
  setAgentAssertions: async ({ service, team, principal }) => {
    await createDomain(service.database, team)
    const [present, other] = [await createClient(service.database), await createClient(service.database)]
    const settings = { agentsEnabledAt: new Date(), agentClientIds: [present.clientId], agentScopes: ['acct:team:read'] }
    const id = await seedProvider(service, team, { ...settings, linksAgentsByAddress: true })
    return {
      principal,
      object: { team: team.slug, providerId: id },
      table: 'identity_providers',
      row: { id },
      fields: {
        enabled: { value: false, columns: ['agents_enabled_at'] },
        clientIds: { value: [other.clientId], columns: ['agent_client_ids'] },
        scopes: { value: ['acct:team:members:read'], columns: ['agent_scopes'] },
        linkByAddress: { value: false, columns: ['links_agents_by_address'] },
      },
    }
  },
}

const samlUpdates: Updates = {
  'updateIdentityProvider of SAML': async ({ service, team, principal }) => {
    const saml = { kind: 'saml', clientId: null, clientSecret: null, ssoUrl: 'https://idp.example.com/sso', certificates: [] } as const
    const id = await seedProvider(service, team, { ...stored, ...saml, certificates: [createSigner().certificate] })
    const metadata = providerMetadata({ certificates: [createSigner().certificate] })
    return {
      principal,
      object: { id },
      table: 'identity_providers',
      row: { id },
      fields: {
        ...common,
        issuer: { value: 'https://other.example.com', isForeign: true },
        clientId: { value: 'client-2', isForeign: true },
        clientSecret: { value: 'a secret', isForeign: true },
        metadata: { value: metadata, columns: ['issuer', 'sso_url', 'certificates', 'tested_at'] },
      },
    }
  },
}

/** Changes of webhooks, workload identities and identity providers. Certificates need OpenSSL. */
export const settingUpdates: Updates = { ...usualUpdates, ...agentUpdates, ...(canIssueCertificates && samlUpdates) }
