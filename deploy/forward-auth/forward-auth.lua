-- Asks the account API about a request, for haproxy.cfg. Whatever goes wrong leaves the status 503: nobody is let in.

-- Add ?role=ROLE_ADMIN,ROLE_CUSTADMIN or ?organisation=12 to demand more than a credential that counts.
local URL = "http://127.0.0.1:3000/v1/access/forward"
local NAMES = {
  "user", "service-key", "username", "organisation", "roles", "credential", "read-only", "support", "act",
}

core.register_action("account_forward", { "http-req" }, function(txn)
  txn:set_var("txn.account_status", 503)
  local headers = {
    ["x-forwarded-method"] = { txn.f:method() },
    ["x-forwarded-for"] = { txn.f:src() },
  }
  local sent = txn.http:req_get_headers()["authorization"]
  if sent ~= nil then headers["authorization"] = { sent[0] } end
  local answer = core.httpclient():get({ url = URL, headers = headers, timeout = 5000 })
  if answer == nil or answer.status == nil then return end
  for _, name in ipairs(NAMES) do
    local values = answer.headers and answer.headers["x-account-" .. name]
    -- Of a user the answer has no service key, and the reverse.
    if values ~= nil and values[0] ~= "" then txn:set_var("txn.account_" .. name:gsub("-", "_"), values[0]) end
  end
  txn:set_var("txn.account_status", answer.status)
end)
