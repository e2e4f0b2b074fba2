import { createInvoice } from '../data/invoices/invoice.ts'
import { createOwnedTeam, teamToken, unique } from '../data/team.ts'
import type { TestService } from '../service/service.ts'
import { insertDelivery } from '../webhooks/delivery-row.ts'

/** Adds a team with a resource of each kind. Returns the owner's token, and arguments with which each tool succeeds. */
export async function seedEveryResource({ database, clock }: TestService) {
  const { prisma, pool } = database
  const { team, owner, token } = await createOwnedTeam(database, { timezone: 'Europe/Berlin' })
  await prisma.connectedApp.create({ data: { teamId: team.id, application: 'flow', name: 'Flow' } })
  const invoice = await createInvoice(database, team)
  await teamToken(database, team)
  const { id: tokenId } = await prisma.accessToken.findFirstOrThrow({ where: { teamId: team.id } })
  const { webhookId } = await insertDelivery(pool, team.id, clock.now())
  const identifiers: Record<string, object> = {
    app: { app_id: 'flow' },
    invoice: { invoice_id: invoice.id, expand: ['lines'] },
    member: { user_id: owner.id },
    token: { token_id: tokenId },
    webhook: { webhook_id: webhookId },
    deliveries: { webhook_id: webhookId },
  }
  const changes: Record<string, object> = {
    update_team: { name: 'Renamed' },
    update_member: { accessible_app_ids: null },
    update_webhook: { description: 'Changed' },
    create_invitation: { email: `${unique('invited')}@example.test`, role: 'billing' },
    list_tokens: { expand: ['previous_value'], per_page: 10 },
    list_invoices: { app_id: undefined, sort: 'asc', page: 1 },
  }
  const argumentsOf = (tool: string): Record<string, unknown> => ({
    ...(tool === 'list_teams' || tool === 'whoami' || tool === 'get_rule_capabilities' ? {} : { team_slug: team.slug }),
    ...identifiers[tool.replace(/^[a-z]+_/, '')],
    ...changes[tool],
  })
  return { team, owner, token, argumentsOf }
}
