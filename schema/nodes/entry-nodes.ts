import { AuditEntryType } from '../audit/audit-entry.ts'
import { addGlobalId } from '../builder/node.ts'
import { forbidden } from '../core/errors.ts'
import { authorize } from '../core/requires.ts'
import { requireTeamAccessById } from '../core/team-access/team-access.ts'
import { isIdentifier } from '../core/validation.ts'
import { TeamInvoiceLineType } from '../invoices/invoice.ts'
import type { InvoiceRow, LineRow } from '../invoices/queries.ts'
import { DeletedTeamType } from '../teams/deleted-team.ts'
import { WebhookDeliveryType } from '../webhooks/delivery.ts'
import { identifyInList, requirementOfField, throughField } from './through-field.ts'

// Global ids of these objects do not contain the team. An unknown id is refused like that of an object in an inaccessible team, so the
// error does not reveal whether an object exists.

addGlobalId(AuditEntryType, {
  key: ({ id }) => [id],
  async load(context, [id = ''], info) {
    const entry = isIdentifier(id) ? await context.database.prisma.auditEntry.findUnique({ where: { id } }) : null
    if (!entry?.teamId) throw forbidden('team_forbidden')
    const teamAccess = await requireTeamAccessById(context, entry.teamId)
    authorize(context, requirementOfField({ parent: 'Team', field: 'auditEntries' }, info), teamAccess)
    return entry
  },
})

addGlobalId(WebhookDeliveryType, {
  key: ({ id }) => [id],
  async load(context, [id = ''], info) {
    const { prisma } = context.database
    const delivery = isIdentifier(id) ? await prisma.webhookDelivery.findUnique({ where: { id } }) : null
    const select = { teamId: true, team: { select: { slug: true } } }
    const webhook = delivery && (await prisma.webhook.findUnique({ where: { id: delivery.webhookId }, select }))
    if (!delivery || !webhook?.teamId) throw forbidden('team_forbidden')
    const teamAccess = await requireTeamAccessById(context, webhook.teamId)
    authorize(context, requirementOfField({ parent: 'Team', field: 'webhook' }, info), teamAccess)
    return { ...delivery, teamId: webhook.teamId, team: webhook.team?.slug ?? null }
  },
})

addGlobalId(TeamInvoiceLineType, {
  key: ({ lineId }) => [lineId],
  async load(context, [id = ''], info) {
    const columns = { invoice: { select: { id: true, teamId: true } } }
    const line = isIdentifier(id) ? await context.database.prisma.invoiceLine.findUnique({ where: { id }, select: columns }) : null
    if (!line) throw forbidden('team_forbidden')
    const { team } = await requireTeamAccessById(context, line.invoice.teamId)
    const ofTeam = { parent: 'Team', field: 'invoice', type: 'TeamInvoice' } as const
    const invoice = await throughField<InvoiceRow>(ofTeam, team, { id: line.invoice.id }, context, info)
    const ofInvoice = { parent: 'TeamInvoice', field: 'lines', type: 'TeamInvoiceLine' } as const
    const lines = await throughField<LineRow[]>(ofInvoice, invoice, {}, context, info)
    return lines.find(({ lineId }) => lineId === id) ?? null
  },
})

identifyInList(DeletedTeamType, { parent: 'Query', field: 'deletedTeams', getKey: ({ slug }) => slug })
