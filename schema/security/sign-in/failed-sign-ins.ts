import { statement } from '../../../prisma/statement/statement.ts'
import { builder } from '../../builder/builder.ts'
import { enumType } from '../../builder/enum-type.ts'
import { failedSignInReasons, signInMethods } from '../../core/attempts/failed-sign-in.ts'
import type { FailedSignIn } from '../../core/attempts/failed-sign-in.ts'
import { jsonInstant } from '../../core/database/json-rows.ts'
import { sessionOnly } from '../../core/requires.ts'
import { requirePerson } from '../../core/team-access/team-access.ts'
import { ViewerType } from '../../viewer/viewer.ts'

/** Failed sign-ins to one account by the same method and for the same reason. Instants are text in the form of responses. */
export interface FailedSignIns extends Pick<FailedSignIn, 'method' | 'reason'> {
  count: number
  firstAt: string
  lastAt: string
}

export const FailedSignInsType = builder.objectRef<FailedSignIns>('FailedSignIns').implement({
  describedBy: 'FailedSignIn',
  fields: (t) => ({
    method: t.expose('method', {
      type: enumType('SignInMethod', 'A method of a sign-in.', signInMethods),
      describedBy: 'FailedSignIn.method',
    }),
    reason: t.expose('reason', {
      type: enumType('FailedSignInReason', 'Why a sign-in to an account failed.', failedSignInReasons),
      describedBy: 'FailedSignIn.reason',
    }),
    count: t.exposeInt('count', { describedBy: 'FailedSignIn.count' }),
    firstAt: t.expose('firstAt', { type: 'DateTime', describedBy: 'FailedSignIn.firstAt' }),
    lastAt: t.expose('lastAt', { type: 'DateTime', describedBy: 'FailedSignIn.lastAt' }),
  }),
})

/** The parts of the SQL that selects the failed sign-ins of a user, whose identifier is SQL: columns, source and order. */
export const failedSignInsSql = (user: string) =>
  [
    `f.method, f.reason, f.count, ${jsonInstant('f.first_at')} AS "firstAt", ${jsonInstant('f.last_at')} AS "lastAt"`,
    `failed_sign_ins f WHERE f.user_id = ${user}`,
    'f.last_at DESC, f.method, f.reason',
  ] as const

const [columns, source, order] = failedSignInsSql('$1')
const selectFailedSignIns = statement<FailedSignIns, [userId: string]>(
  'failed_sign_ins_of_user',
  `SELECT ${columns} FROM ${source} ORDER BY ${order}`,
)

builder.objectField(ViewerType, 'failedSignIns', (t) =>
  t.field({
    description: 'The failed sign-ins to the account of the user, by method and reason, the latest first. For account-site sessions.',
    type: [FailedSignInsType],
    requires: sessionOnly,
    resolve: (_, __, context) => selectFailedSignIns(context.database.pool, requirePerson(context).user.id),
  }),
)
