import type { MailLinkKind } from '../../prisma/generated/client/enums.ts'
import { enumType } from '../builder/enum-type.ts'
import { builder } from '../builder/builder.ts'
import type { Context } from '../core/context.ts'
import { withLinkLimit } from '../core/attempts/count-attempt.ts'
import { accountSiteOnly } from '../core/requires.ts'
import { findMailLink } from './mail-link.ts'
import type { MailLink } from './mail-link.ts'

export const MailLinkKindType = enumType('MailLinkKind', 'What the link of an email is for.', {
  verify_email: 'Verifies the email address of an account.',
  change_email: 'Confirms a new email address.',
  reset_password: 'Sets a new password.',
  prove_account: 'Proves the account in a session that began at the identity provider of a team.',
  sign_in: 'Signs in with the code of the email, which contains no link.',
} satisfies Record<MailLinkKind, string>)

const OpenedLinkType = builder.objectRef<MailLink>('OpenedLink').implement({
  description: 'A link from an email, as the holder of its secret sees it. For the account site.',
  fields: (t) => ({
    kind: t.expose('kind', { type: MailLinkKindType, description: 'What the link is for.' }),
    email: t.exposeString('email', { description: 'The email address that the link is about.' }),
    name: t.string({ description: 'The name of the account.', resolve: ({ user }) => user.name }),
    isUsable: t.exposeBoolean('isLive', { description: 'Whether the link can be used: not used, expired or replaced by a newer one.' }),
    isOwn: t.boolean({
      description: 'Whether the link belongs to the account of the signed-in user.',
      resolve: ({ userId }, _, { principal }) => principal?.kind === 'user' && principal.user.id === userId,
    }),
  }),
})

const findLink = ({ database, now }: Context, token: string) => findMailLink(database.pool, now(), token)

builder.queryFields((t) => ({
  openedLink: t.field({
    description:
      'The email link that the browser opened; null if there never was one, which counts as an attempt of the client’s IP address. For the account site.',
    type: OpenedLinkType,
    nullable: true,
    requires: accountSiteOnly,
    args: { token: t.arg.string({ required: true, description: 'The secret of the link.' }) },
    resolve: (_, { token }, context) => withLinkLimit(context, () => findLink(context, token)),
  }),
  savedLink: t.field({
    description: 'The email link whose secret the browser saved when it opened the link. For the account site.',
    type: OpenedLinkType,
    nullable: true,
    requires: accountSiteOnly,
    args: { token: t.arg.string({ required: true, description: 'The secret of the link.' }) },
    resolve: (_, { token }, context) => findLink(context, token),
  }),
}))
