/** Settings about the company that runs the service. */
export interface BrandSettings {
  brandName: string
  brandLogo?: { type: string; body: Buffer } | undefined
  /** `#rrggbb`. */
  brandColor: string
  brandSupport?: string | undefined
  brandTermsUrl?: string | undefined
  brandPrivacyUrl?: string | undefined
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
}

export const brandOf = ({ brandName, brandColor, brandSupport, brandTermsUrl, brandPrivacyUrl }: BrandSettings): Brand => ({
  name: brandName,
  color: brandColor,
  support: brandSupport,
  termsUrl: brandTermsUrl,
  privacyUrl: brandPrivacyUrl,
})
