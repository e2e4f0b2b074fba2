/** Where Prisma's own tools find the schema and the migrations. The service itself never reads this file. */
export default {
  schema: 'schema.prisma',
  migrations: { path: 'migrations' },
}
