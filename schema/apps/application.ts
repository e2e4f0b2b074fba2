import { z } from 'zod'
import { Application } from '../../prisma/generated/client/enums.ts'
import { enumType } from '../builder/enum-type.ts'
import { products } from '../core/products.ts'

const describe = (id: Application) => `${products[id].name}. ${products[id].about}`

export const ApplicationType = enumType('Application', 'The products of the family.', {
  domain: describe('domain'),
  cert: describe('cert'),
  deploy: describe('deploy'),
  shortener: describe('shortener'),
  flow: describe('flow'),
  backup: describe('backup'),
  socket: describe('socket'),
  billing: describe('billing'),
} satisfies Record<Application, string>)

const names = Object.entries(products).map(([id, { name }]) => `\`${id}\` (${name})`)

/** The product in REST and import records. OpenAPI refers to it by this id. */
export const applicationId = z.enum(Application).meta({ id: 'Application', description: `A product: ${names.join(', ')}.` })

/** The applications that a member may use: a list without duplicates, or null for all applications of the team. */
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

/** Converts application access to its two columns. `allApplications` is separate, because Prisma reads a NULL list as an empty one. */
export const accessColumns = (ids: Application[] | null) => ({ allApplications: ids === null, applications: ids ?? [] })

/** Returns true if two lists contain the same applications in any order; null means all applications. */
export const isSameAccess = (one: readonly Application[] | null, other: readonly Application[] | null): boolean =>
  one === null || other === null ? one === other : one.length === other.length && one.every((id) => other.includes(id))

/** Returns the two columns as a list, or null for all applications. */
export const accessibleIds = ({ allApplications, applications }: ApplicationAccess) => (allApplications ? null : [...applications])
