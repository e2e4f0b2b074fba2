import type { z } from 'zod'
import { metadata, hexColor, imageFile, mailAddress, singleLine, textLines, webUrl } from './setting-types.ts'

/** The brand settings: properties of the company that operates the service, which pages, mails and invoices show. */
export const brandSettings = {
  brandName: singleLine(60)
    .prefault('Team accounts')
    .register(metadata, { variable: 'BRAND_NAME', description: 'Name of the product on pages and in emails.' }),
  brandLogo: imageFile.optional().register(metadata, {
    variable: 'BRAND_LOGO',
    description: 'Square logo and favicon, an SVG or PNG file of at most 50 kB; emails show a PNG only. Default: the initials of the name.',
  }),
  brandColor: hexColor.prefault('#1d55c4').register(metadata, {
    variable: 'BRAND_COLOR',
    description: 'Colour of buttons and links. Where its contrast is too low, pages and emails use a darker or lighter shade.',
  }),
  brandSupport: mailAddress.optional().register(metadata, {
    variable: 'BRAND_SUPPORT',
    description: 'Email address of the support team, in the footer of pages and emails.',
  }),
  brandTermsUrl: webUrl
    .optional()
    .register(metadata, { variable: 'BRAND_TERMS_URL', description: 'URL of the terms of service, linked in the footer.' }),
  brandPrivacyUrl: webUrl
    .optional()
    .register(metadata, { variable: 'BRAND_PRIVACY_URL', description: 'URL of the privacy policy, linked in the footer.' }),
  brandLegalName: singleLine(200).optional().register(metadata, {
    variable: 'BRAND_LEGAL_NAME',
    description: 'Name of the company that issues the invoices, on their PDF and in emails. Default: BRAND_NAME.',
  }),
  brandAddress: textLines.prefault('').register(metadata, {
    variable: 'BRAND_ADDRESS',
    description: 'Postal address of that company and further lines, such as its VAT number, separated by semicolons.',
  }),
  brandPaymentText: textLines.prefault('').register(metadata, {
    variable: 'BRAND_PAYMENT_TEXT',
    description: 'How customers pay: lines such as a bank account, separated by semicolons, on open invoices and their PDF.',
  }),
} satisfies Record<string, z.ZodType>
