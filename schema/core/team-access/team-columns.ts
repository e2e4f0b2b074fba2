/** The columns of `teams t` in the JSON arrays of the authentication statements, in the order of `StoredTeamAccess`. */
export const teamColumns =
  't.id, t.slug, t.name, t.timezone, t.gravatar_email, t.logo_id, t.created_at, t.updated_at, t.two_factor_required_at, t.sign_in_provider_id, t.sign_in_required_at'

/** The columns of `teams` as an `AccessibleTeam`. */
export const accessibleTeamColumns = `id, slug, name, timezone, gravatar_email AS "gravatarEmail", logo_id AS "logoId", created_at AS "createdAt",
  updated_at AS "updatedAt", two_factor_required_at AS "twoFactorRequiredAt", sign_in_provider_id AS "signInProviderId", sign_in_required_at AS "signInRequiredAt"`
