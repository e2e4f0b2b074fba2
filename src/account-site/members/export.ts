import { csvFile } from '../../web/csv.ts'
import type { Download } from '../framework/download.ts'
import { siteOperation } from '../framework/operation.ts'
import type { PageContext } from '../framework/page-context.ts'
import { MembersExportDocument } from '../generated/operations.ts'
import type { PersonPartsFragment } from '../generated/operations.ts'
import { accessLabel, roleNames } from '../labels.ts'
import { exportLimit, readAll } from '../table/read-all.ts'
import { mayChangeMembers, personVariables } from './members-table.tsx'

interface Column {
  /** For those only who may change members, as on the page. */
  isForOwners?: true
  valueOf(person: PersonPartsFragment): string | null
}

const columns: Readonly<Record<string, Column>> = {
  Name: { valueOf: ({ name }) => name },
  'Email address': { valueOf: ({ email }) => email },
  Status: { isForOwners: true, valueOf: ({ state }) => (state === 'INVITED' ? 'Invited' : 'Member') },
  Role: { valueOf: ({ role }) => roleNames[role] },
  Products: { valueOf: ({ accessibleAppIds }) => accessLabel(accessibleAppIds) },
  'Two-factor': { isForOwners: true, valueOf: ({ hasTwoFactor }) => (hasTwoFactor === null ? null : hasTwoFactor ? 'On' : 'Off') },
  'Last active': { isForOwners: true, valueOf: ({ lastActiveAt }) => lastActiveAt },
  Joined: { valueOf: ({ state, since }) => (state === 'MEMBER' ? since : null) },
  Invited: { isForOwners: true, valueOf: ({ state, since }) => (state === 'INVITED' ? since : null) },
}

const operation = siteOperation(MembersExportDocument)

/** The people who match the filters of the page, on all its pages, as a CSV file. */
export const membersFile: Download = {
  path: '/teams/:team/members.csv',
  async load(ctx) {
    const shown = Object.entries(columns).filter(([, { isForOwners }]) => !isForOwners || mayChangeMembers(ctx))
    const rows = (await readPeople(ctx)).map((person) => shown.map(([, { valueOf }]) => valueOf(person)))
    const name = `${ctx.param('team')}-members-${ctx.site.now().toISOString().slice(0, 10)}.csv`
    return { name, ...csvFile([shown.map(([label]) => label), ...rows]) }
  },
}

function readPeople(ctx: PageContext): Promise<PersonPartsFragment[]> {
  const { perPage: _, ...variables } = personVariables(ctx)
  return readAll({
    ...exportLimit('people'),
    keyOf: ({ userId, invitationId }: PersonPartsFragment) => userId ?? invitationId ?? '',
    load: async (page) => (await operation.run({ ...variables, page }, ctx)).team.people,
  })
}
