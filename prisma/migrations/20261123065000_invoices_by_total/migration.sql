-- The invoices of a team by total amount. Prisma cannot describe an index on an expression.
CREATE INDEX "invoices_by_total" ON "invoices"("team_id", ("subtotal" + "tax"), "id");
