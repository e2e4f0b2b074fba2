import { csvFile } from '../../web/files/csv.ts'
import type { Download } from '../framework/download.ts'
import { siteOperation } from '../framework/operation.ts'
import type { PageContext } from '../framework/page-context.ts'
import { MembersExportDocument } from '../generated/operations.ts'
import type { PersonPartsFragment } from '../generated/operations.ts'
import { accessLabel, roleNames } from '../labels.ts'
import { exportLimit, readAll } from '../table/read-all.ts'
import { mayChangeMembers, personVariables, showsRequiredSignIn } from './members-table.tsx'

interface Column {
  /** Returns true if the column is shown, as on the page. By default everyone sees it. */
  isShown?(ctx: PageContext): boolean
  getValue(person: PersonPartsFragment): string | null
}

const columns: Readonly<Record<string, Column>> = {
  Name: { getValue: ({ name }) => name },
  'Email address': { getValue: ({ email }) => email },
  Status: { isShown: mayChangeMembers, getValue: ({ state }) => (state === 'INVITED' ? 'Invited' : 'Member') },
  Role: { getValue: ({ role }) => roleNames[role] },
  Products: { getValue: ({ accessibleAppIds }) => accessLabel(accessibleAppIds) },
  'Two-factor': { isShown: mayChangeMembers, getValue: ({ hasTwoFactor }) => (hasTwoFactor === null ? null : hasTwoFactor ? 'On' : 'Off') },
  'Required sign-in': {
    isShown: showsRequiredSignIn,
    getValue: ({ hasRequiredSignIn: has }) => (has === null ? null : has ? 'Done' : 'Missing'),
  },
  'Last active': { isShown: mayChangeMembers, getValue: ({ lastActiveAt }) => lastActiveAt },
  Joined: { getValue: ({ state, since }) => (state === 'MEMBER' ? since : null) },
  Invited: { isShown: mayChangeMembers, getValue: ({ state, since }) => (state === 'INVITED' ? since : null) },
}

const operation = siteOperation(MembersExportDocument)

/** A CSV file of all people who match the filters of the page. */
export const membersFile: Download = {
  path: '/teams/:team/members.csv',
  async load(ctx) {
    const shown = Object.entries(columns).filter(([, { isShown }]) => isShown?.(ctx) ?? true)
    const people = await readPeople(ctx)
    const names = shown.map(([label]) => label)
    const toRow = (person: PersonPartsFragment) => shown.map(([, { getValue }]) => getValue(person))
    const name = `${ctx.param('team')}-members-${ctx.site.now().toISOString().slice(0, 10)}.csv`
    return { name, ...(await csvFile(names, people, toRow)) }
  },
}

function readPeople(ctx: PageContext): Promise<PersonPartsFragment[]> {
  const { perPage: _, ...variables } = personVariables(ctx)
  return readAll({
    ...exportLimit('people'),
    getKey: ({ userId, invitationId }: PersonPartsFragment) => userId ?? invitationId ?? '',
    load: async (page) => (await operation.run({ ...variables, page }, ctx)).team.people,
  })
}
