#include "lab/page.h"

#include "lab/page_template.h"

namespace soba::lab {

namespace {

constexpr std::string_view kPlace = "@REPORT@";  // in the template

}  // namespace

std::string filled_page(const Json& report) {
  std::string page(kPageTemplate);
  page.replace(page.find(kPlace), kPlace.size(), script_json(report));
  return page;
}

}  // namespace soba::lab
