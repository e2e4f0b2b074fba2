import type { PageContext } from '../../framework/page-context.ts'
import type { StaffUserQuery } from '../../generated/operations.ts'

export type StaffAccount = StaffUserQuery['staff']['account']

/** What the parts of the page of a user receive. */
export interface UserPart {
  account: StaffAccount
  ctx: PageContext
}

/** Returns true if an operator or staff disabled the account. The account of a user who deletes it is disabled at the same instant. */
export const isDisabled = ({ disabledAt, deletionRequestedAt }: StaffAccount['user']): boolean =>
  disabledAt !== null && disabledAt !== deletionRequestedAt
