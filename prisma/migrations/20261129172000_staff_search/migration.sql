-- What staff find in one search (docs/decisions/staff.md#search): words at which names and addresses begin, numbers and hints.
CREATE INDEX "users_words" ON "users" USING gin (to_tsvector('simple', translate("name" || ' ' || "email", '@.-_+/:', '       ')));
CREATE INDEX "teams_words" ON "teams" USING gin (to_tsvector('simple', translate("name" || ' ' || "slug", '@.-_+/:', '       ')));
CREATE INDEX "oauth_clients_words" ON "oauth_clients" USING gin (to_tsvector('simple', translate("name" || ' ' || coalesce("publisher", '') || ' ' || "client_id", '@.-_+/:', '       ')));
CREATE INDEX "invoices_number_idx" ON "invoices" ("number");
CREATE INDEX "access_tokens_last_four_idx" ON "access_tokens" ("last_four");
