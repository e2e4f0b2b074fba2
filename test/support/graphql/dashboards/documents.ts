import { variablesAt } from '../../../../src/graphql/graphiql.ts'
import {
  AuditTimelineDocument,
  InvoicesByMonthDocument,
  MembersByRoleDocument,
  TeamsOverviewDocument,
  TokenInventoryDocument,
} from '../../../../src/graphql/generated/dashboards.ts'

/** Variables of the dashboards that have some. */
export const variables = variablesAt(new Date())

/** The document of each dashboard, with its variables. */
export const dashboards = {
  'teams overview': [TeamsOverviewDocument, {}],
  'members by role': [MembersByRoleDocument, {}],
  'invoices by month': [InvoicesByMonthDocument, variables['invoices-by-month']],
  'token inventory': [TokenInventoryDocument, variables['token-inventory']],
  'audit timeline': [AuditTimelineDocument, variables['audit-timeline']],
} as const
