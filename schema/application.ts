import { z } from 'zod'
import { Application, Role } from '../prisma/generated/client/enums.ts'
import { builder } from './builder.ts'

// Enum values are the contract's words in the code and on REST's wire, the same words in capitals in GraphQL.
const inCapitals = <Value extends string>(values: Record<string, Value>) =>
  Object.fromEntries(Object.values(values).map((value) => [value.toUpperCase(), { value }])) as Record<string, { value: Value }>

/** A GraphQL enum from one of `schema.prisma`. */
export const enumType = <Value extends string>(name: string, description: string, values: Record<string, Value>) =>
  builder.enumType(name, { description, values: inCapitals(values) })

export const ApplicationType = enumType('Application', 'The products of the family.', Application)
export const RoleType = enumType('Role', 'What a member may do in a team.', Role)

// Under these names OpenAPI tells them once.
export const applicationId = z.enum(Application).meta({ id: 'Application' })
export const role = z.enum(Role).meta({ id: 'Role' })

/** Which applications a member may use: a list without repeats, or null for all of the team (§2.2). */
export const applicationAccess = z
  .array(applicationId)
  .superRefine((ids, { addIssue }) => {
    ids.forEach((id, index) => {
      if (ids.indexOf(id) !== index)
        addIssue({ code: 'custom', path: [index], message: 'The :attribute field has a duplicate value.', input: id })
    })
  })
  .nullable()
  .meta({ uniqueItems: true })

export interface ApplicationAccess {
  allApplications: boolean
  applications: readonly Application[]
}

/** `null` (all) and a list as the two columns that keep them apart. */
export const accessColumns = (ids: Application[] | null) => ({ allApplications: ids === null, applications: ids ?? [] })

/** The two columns as the list, or null for all. */
export const accessibleIds = ({ allApplications, applications }: ApplicationAccess) => (allApplications ? null : [...applications])
