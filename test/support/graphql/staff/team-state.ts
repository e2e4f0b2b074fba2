import { expect } from 'vitest'
import type { Team, User } from '../../../../prisma/generated/client/client.ts'
import { graphql } from '../../http/graphql.ts'
import type { TestService } from '../../service/service.ts'
import { createWebhook } from '../../webhooks/webhook.ts'
import { staffToken } from './staff.ts'

const everything = `team { slug name members { total nodes { email role } } } deletedAt erasedAt restorableUntil isMember
  memberCounts { role count } openInvitationCount invitations { invitationId email role sentAt expiresAt } tokenCount signInRequiredAt
  identityProviders { providerId kind name host isRequired testedAt failedAt failure disabledAt certificates { subject fingerprint expiresAt } }
  domains { domain verifiedAt checkedAt missingSince }
  webhooks { webhookId host description state disabledAt disabledReason failingSince lastError }
  clients { clientId name state createdAt disabledAt proposedChanges { member } }
  latestEntries { entryId at action actorName subject subjectName before after reason }`

/** Returns a function that reads the state of a team as a user who is staff. By default it selects every field. */
export async function teamStateReader(service: TestService, staff: User) {
  const token = await staffToken(service.database, staff)
  return async (slug: string, selection = everything) => {
    const query = `query ($slug: String!) { staff { teamState(slug: $slug) { ${selection} } } }`
    const { data, errors } = await graphql(service, token, query, { slug })
    expect(errors).toEqual([])
    return data.staff.teamState
  }
}

/** Adds a webhook whose path and last response contain a secret, and which fails. */
export async function createFailingWebhook(service: TestService, team: Team) {
  const { id } = await createWebhook(service, team, 'https://hooks.example.com/services/T0/secret-path')
  const { clock, database } = service
  const { prisma } = database
  const failingSince = clock.now()
  await prisma.webhook.update({ where: { id }, data: { failingSince } })
  const attempt = { webhookId: id, type: 'team.updated', part: 0, attempt: 1, at: failingSince, latencyMilliseconds: 1 } as const
  await prisma.webhookDelivery.create({ data: { ...attempt, result: 'failed', status: 503, responseBody: 'body-secret' } })
  return { id, failingSince }
}
