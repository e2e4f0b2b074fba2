import type { z } from 'zod'
import { metadata } from './setting-metadata.ts'
import { hexColor, imageFile, mailAddress, singleLine, webUrl } from './setting-types.ts'

/** The rows of the settings about the brand: what pages, mails and invoices show of the company that runs the service. */
export const brandSettings = {
  brandName: singleLine(60)
    .prefault('Team accounts')
    .register(metadata, { variable: 'BRAND_NAME', description: 'Name of the product on pages.' }),
  brandLogo: imageFile.optional().register(metadata, {
    variable: 'BRAND_LOGO',
    description: 'Square logo and favicon, an SVG or PNG file of at most 50 kB. Default: the initials of the name.',
  }),
  brandColor: hexColor.prefault('#1d55c4').register(metadata, {
    variable: 'BRAND_COLOR',
    description: 'Colour of buttons and links. Where its contrast is too low, pages use a darker or lighter shade.',
  }),
  brandSupport: mailAddress.optional().register(metadata, {
    variable: 'BRAND_SUPPORT',
    description: 'Email address of the support, in the footer of pages.',
  }),
  brandTermsUrl: webUrl.optional().register(metadata, { variable: 'BRAND_TERMS_URL', description: 'Terms of service, in the footer.' }),
  brandPrivacyUrl: webUrl.optional().register(metadata, { variable: 'BRAND_PRIVACY_URL', description: 'Privacy policy, in the footer.' }),
} satisfies Record<string, z.ZodType>
