interface DomainBadgeProps {
  verifiedAt: string | null
  /** Last check that found the record or, of a verified domain, its absence. */
  checkedAt: string | null
  missingSince: string | null
  /** True if the verification was just refused. */
  isRefused?: boolean
}

/** The verification of a domain. A domain that lost its verification has failed, as one whose record was not found. */
export const DomainBadge = ({ verifiedAt, checkedAt, missingSince, isRefused = false }: DomainBadgeProps) => {
  if (verifiedAt === null)
    return isRefused || checkedAt !== null ? <span class="badge alert">Failed</span> : <span class="badge caution">Pending</span>
  return missingSince === null ? <span class="badge good">Verified</span> : <span class="badge caution">Record missing</span>
}
