import { z } from 'zod'
import { updateRows } from '../../prisma/statement/write-row.ts'
import { builder } from '../builder/builder.ts'
import { change, difference } from '../core/audit/audit.ts'
import { lockCaller } from '../core/database/locks.ts'
import { sessionOnly } from '../core/requires.ts'
import { requirePerson } from '../core/team-access/team-access.ts'
import { parse } from '../core/validation.ts'
import { picturePath } from '../pictures/picture-url.ts'
import { acceptedPicture, pictureFile, readPicture, storePicture } from '../pictures/stored-picture.ts'
import { DateFormatType, profileRules } from './profile.ts'
import { UserPayload } from './user.ts'

const UpdateProfileInput = builder.inputType('UpdateProfileInput', {
  description: 'The input of `updateProfile`; an absent field stays as it is.',
  fields: (t) => ({
    name: t.string({ describedBy: 'User.name' }),
    timezone: t.string({ describedBy: 'User.timezone' }),
    dateFormat: t.field({ type: DateFormatType, describedBy: 'User.dateFormat' }),
    picture: t.string({ description: `The picture, ${acceptedPicture}` }),
  }),
})
const rules = z.object({ ...profileRules, picture: pictureFile }).partial()

builder.mutationField('updateProfile', (t) =>
  t.field({
    description: 'Changes the name and the picture of the signed-in user, and how pages and emails show times to them.',
    type: UserPayload,
    requires: sessionOnly,
    args: { input: t.arg({ type: UpdateProfileInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { picture: file, ...changes } = parse(rules, input)
      const picture = await readPicture('picture', file, 'cover')
      return change(context, info, async (transaction) => {
        const before = await lockCaller(transaction, requirePerson(context).user.id)
        const { name, timezone, dateFormat, pictureId } = before
        const changed = difference(
          { name, timezone, dateFormat, picture: picturePath(pictureId) },
          { ...changes, ...(picture !== undefined && { picture: picturePath(picture?.id) }) },
        )
        if (changed.isUnchanged) return { result: { user: before }, subject: before.id, ...changed }
        const updated = { ...changes, ...(picture !== undefined && { pictureId: picture?.id ?? null }), updatedAt: context.now() }
        storePicture(transaction, { userId: before.id }, picture, updated.updatedAt)
        transaction.defer(updateRows(transaction, 'users', { id: before.id }, updated))
        return { result: { user: { ...before, ...updated } }, subject: before.id, ...changed }
      })
    },
  }),
)
