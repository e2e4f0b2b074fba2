/** Settings about the company that operates the service. */
export interface BrandSettings {
  brandName: string
  brandLogo?: { type: string; body: Buffer } | undefined
  /** A colour in the form `#rrggbb`. */
  brandColor: string
  brandSupport?: string | undefined
  brandTermsUrl?: string | undefined
  brandPrivacyUrl?: string | undefined
  brandLegalName?: string | undefined
  brandAddress?: readonly string[] | undefined
  brandPaymentText?: readonly string[] | undefined
}

/** The company that operates the service, as pages, mails and invoices show it. */
export interface Brand {
  name: string
  logo: BrandSettings['brandLogo']
  /** A colour in the form `#rrggbb`. */
  color: string
  /** Email address of the support. */
  support: string | undefined
  termsUrl: string | undefined
  privacyUrl: string | undefined
  /** Email address of the company's support team. */
  legalName: string
  /** Lines of its postal address. */
  address: readonly string[]
  /** Lines of the company's postal address. */
  paymentText: readonly string[]
}

export const buildBrand = (settings: BrandSettings): Brand => ({
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
