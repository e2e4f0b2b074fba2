/** Settings about the company that runs the service. */
export interface BrandSettings {
  brandName: string
  brandLogo?: { type: string; body: Buffer } | undefined
  /** `#rrggbb`. */
  brandColor: string
  brandSupport?: string | undefined
  brandTermsUrl?: string | undefined
  brandPrivacyUrl?: string | undefined
  brandLegalName?: string | undefined
  brandAddress?: readonly string[] | undefined
  brandPaymentText?: readonly string[] | undefined
}

/** What pages, mails and invoices show of the company that runs the service. */
export interface Brand {
  name: string
  logo: BrandSettings['brandLogo']
  /** `#rrggbb`. */
  color: string
  /** Email address of the support. */
  support: string | undefined
  termsUrl: string | undefined
  privacyUrl: string | undefined
  /** Name of the company. */
  legalName: string
  /** Lines of its postal address. */
  address: readonly string[]
  /** Lines that say how to pay an invoice. */
  paymentText: readonly string[]
}

export const brandOf = (settings: BrandSettings): Brand => ({
  name: settings.brandName,
  logo: settings.brandLogo,
  color: settings.brandColor,
  support: settings.brandSupport,
  termsUrl: settings.brandTermsUrl,
  privacyUrl: settings.brandPrivacyUrl,
  legalName: settings.brandLegalName ?? settings.brandName,
  address: settings.brandAddress ?? [],
  paymentText: settings.brandPaymentText ?? [],
})
