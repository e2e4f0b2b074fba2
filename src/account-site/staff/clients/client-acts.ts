import { z } from 'zod'
import { isolateName } from '../../../web/display-name.ts'
import { text } from '../../framework/field-types.ts'
import { form } from '../../framework/form.ts'
import type { PageContext } from '../../framework/page-context.ts'
import {
  StaffApproveClientDocument,
  StaffDisableClientDocument,
  StaffEnableClientDocument,
  StaffRejectClientDocument,
} from '../../generated/operations.ts'
import { reasonFields } from '../act.tsx'

const fields = z.object(reasonFields)
// The version is the one that the page showed, so that staff approve only what they have seen.
const reviewFields = fields.extend({ version: text })

const toInput = <Fields extends object>(input: Fields, ctx: PageContext) => ({ input: { ...input, clientId: ctx.param('client') } })

/** What staff can do on the page of an app. The schema checks the role, and that the app is not one of a team of the actor. */
export const clientActs = {
  approve: form({
    fields: reviewFields,
    document: StaffApproveClientDocument,
    variables: toInput,
    notice: ({ approveClient: { client } }) => `${isolateName(client.name)} was approved.`,
  }),
  reject: form({
    fields: reviewFields,
    document: StaffRejectClientDocument,
    variables: toInput,
    notice: ({ rejectClient: { client } }) => `The owners of ${isolateName(client.name)} were told why it was rejected.`,
  }),
  disable: form({
    fields,
    document: StaffDisableClientDocument,
    variables: toInput,
    notice: ({ disableClient: { client } }) => `${isolateName(client.name)} was disabled.`,
  }),
  enable: form({
    fields,
    document: StaffEnableClientDocument,
    variables: toInput,
    notice: ({ enableClient: { client } }) => `${isolateName(client.name)} was enabled.`,
  }),
}
