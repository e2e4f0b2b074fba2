/** The team of a grant; without a slug, it is for all teams. */
export interface GrantTeam {
  team: { name: string } | null
  teamSlug: string | null
}

/** The team of a grant by its name, or by its slug if the user cannot open it at the moment. */
export const TeamOfGrant = ({ grant: { team, teamSlug } }: { grant: GrantTeam }) =>
  teamSlug === null ? <>All your teams</> : <bdi>{team?.name ?? teamSlug}</bdi>
