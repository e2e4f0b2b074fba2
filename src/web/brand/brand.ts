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
}

/** What pages, mails and invoices show of the company that runs the service. */
export interface Brand {
  name: string
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
}

export const brandOf = ({
  brandName,
  brandColor,
  brandSupport,
  brandTermsUrl,
  brandPrivacyUrl,
  brandLegalName,
  brandAddress,
}: BrandSettings): Brand => ({
  name: brandName,
  color: brandColor,
  support: brandSupport,
  termsUrl: brandTermsUrl,
  privacyUrl: brandPrivacyUrl,
  legalName: brandLegalName ?? brandName,
  address: brandAddress ?? [],
})
