//! A store of made-up memories among many others, written as files.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use afterword::memory::{Id, Kind, Ttl};
use afterword::store::markdown::{self, Document};
use chrono::{DateTime, Days, Utc};

/// A memory of a test, to be written to a file.
pub(super) struct Made {
    /// A playbook's situation; a profile has none.
    pub(super) when: Option<String>,
    pub(super) text: String,
}

impl Made {
    pub(super) fn profile(text: impl Into<String>) -> Self {
        Self { when: None, text: text.into() }
    }

    pub(super) fn playbook(when: impl Into<String>, text: impl Into<String>) -> Self {
        Self { when: Some(when.into()), text: text.into() }
    }

    fn kind(&self) -> Kind {
        if self.when.is_some() { Kind::Playbook } else { Kind::Profile }
    }

    fn body(&self) -> String {
        match &self.when {
            Some(when) => format!("## When\n{when}\n\n## What\n{}\n\n## Why\nIt was asked for.", self.text),
            None => self.text.clone(),
        }
    }
}

/// The first moment of the tests' calendar.
pub(super) fn begin() -> DateTime<Utc> {
    "2026-03-01T09:00:00Z".parse().unwrap()
}

/// Writes memories into the store, one a day; returns their ids.
pub(super) fn write(root: &Path, memories: &[Made]) -> Vec<Id> {
    let mut ids = Vec::new();
    for (number, memory) in (0..).zip(memories) {
        let kind = memory.kind();
        let id = Id::derive(kind, &memory.body(), None, number);
        let document = Document {
            kind,
            id: id.clone(),
            created: begin() + Days::new(u64::from(number % 90)),
            ttl: Ttl::Infinity,
            expires: None,
            supersedes: Vec::new(),
            body: memory.body(),
        };
        put(root, &document, &format!("made-up-{}", id.suffix()));
        ids.push(id);
    }
    ids
}

/// Writes one file.
pub(super) fn put(root: &Path, document: &Document, name: &str) {
    let folder = root.join(document.kind.folder());
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(format!("{name}.md")), markdown::render(document)).unwrap();
}

/// `count` memories about other things, half of them Chinese: no two the same, none about a thing of the tests' pairs.
pub(super) fn distractors(count: usize) -> Vec<Made> {
    (0..count).map(|number| if number % 2 == 0 { english(number / 2) } else { chinese(number / 2) }).collect()
}

/// Picks from a list; the lists have lengths without a common factor, so that all combinations come.
fn pick<'w>(words: &[&'w str], number: usize) -> &'w str {
    words[number % words.len()]
}

fn english(number: usize) -> Made {
    let thing = pick(&THINGS, number);
    let place = pick(&PLACES, number);
    let value = pick(&VALUES, number);
    let mut text = String::new();
    match number % 3 {
        0 => write!(text, "The {thing} of the {place} is {value}.").unwrap(),
        1 => write!(text, "User wants the {thing} at the {place} to be {value}.").unwrap(),
        _ => return Made::playbook(format!("Handling the {thing} of the {place}."), format!("DO make it {value}.")),
    }
    Made::profile(text)
}

fn chinese(number: usize) -> Made {
    let (thing, place, value) = (pick(&ITEMS, number), pick(&SITES, number), pick(&WORTHS, number));
    match number % 3 {
        0 => Made::profile(format!("{place}的{thing}是{value}。")),
        1 => Made::profile(format!("用户要求{place}的{thing}定为{value}。")),
        _ => Made::playbook(format!("处理{place}的{thing}。"), format!("要：{value}。")),
    }
}

const THINGS: [&str; 41] = [
    "pump",
    "ladder",
    "curtain",
    "bracket",
    "valve",
    "antenna",
    "carpet",
    "mixer",
    "roof",
    "gasket",
    "hinge",
    "lantern",
    "filter cartridge",
    "pallet",
    "rudder",
    "stencil",
    "turbine",
    "violin stand",
    "winch",
    "zipper",
    "awning",
    "boiler",
    "compass",
    "drill bit",
    "easel",
    "fence",
    "gearbox",
    "harness",
    "inkwell",
    "joystick",
    "kettle",
    "lathe",
    "mirror",
    "nozzle",
    "oar",
    "pedal",
    "quiver",
    "ramp",
    "saddle",
    "tarpaulin",
    "umbrella",
];
const PLACES: [&str; 37] = [
    "barn",
    "pier",
    "workshop",
    "attic",
    "orchard",
    "observatory",
    "harbour",
    "quarry",
    "vineyard",
    "lighthouse",
    "foundry",
    "aquarium",
    "arena",
    "brewery",
    "chapel",
    "dockyard",
    "embassy",
    "ferry",
    "gallery",
    "hangar",
    "island",
    "jetty",
    "laundry",
    "mill",
    "nursery",
    "opera",
    "pavilion",
    "reservoir",
    "sawmill",
    "theatre",
    "tunnel",
    "viaduct",
    "warehouse annex",
    "yard",
    "zoo",
    "abbey",
    "bakehouse",
];
const VALUES: [&str; 29] = [
    "oak",
    "brass",
    "seven inches wide",
    "painted grey",
    "oiled monthly",
    "labelled in capitals",
    "kept dry",
    "model K7",
    "rated for ten bar",
    "hung on the left",
    "wrapped in felt",
    "counted twice",
    "locked overnight",
    "made of larch",
    "turned clockwise",
    "weighed on arrival",
    "numbered from zero",
    "sanded smooth",
    "tilted by five degrees",
    "washed in vinegar",
    "bolted to the floor",
    "stacked by size",
    "sealed with wax",
    "greased in spring",
    "replaced each March",
    "covered at dusk",
    "balanced by eye",
    "ordered from Graz",
    "inspected by Olga",
];
const ITEMS: [&str; 41] = [
    "水泵",
    "梯子",
    "窗帘",
    "支架",
    "阀门",
    "天线",
    "地毯",
    "搅拌机",
    "屋顶",
    "垫片",
    "铰链",
    "灯笼",
    "滤芯",
    "托盘",
    "船舵",
    "模具",
    "涡轮",
    "琴架",
    "绞盘",
    "拉链",
    "雨棚",
    "锅炉",
    "罗盘",
    "钻头",
    "画架",
    "栅栏",
    "齿轮箱",
    "安全带",
    "墨水瓶",
    "操纵杆",
    "水壶",
    "车床",
    "镜子",
    "喷嘴",
    "船桨",
    "踏板",
    "箭筒",
    "坡道",
    "马鞍",
    "油布",
    "雨伞",
];
const SITES: [&str; 37] = [
    "谷仓",
    "码头",
    "车间",
    "阁楼",
    "果园",
    "天文台",
    "港口",
    "采石场",
    "葡萄园",
    "灯塔",
    "铸造厂",
    "水族馆",
    "体育场",
    "酒厂",
    "礼堂",
    "船坞",
    "使馆",
    "渡轮",
    "画廊",
    "机库",
    "岛屿",
    "栈桥",
    "洗衣房",
    "磨坊",
    "苗圃",
    "歌剧院",
    "凉亭",
    "水库",
    "锯木厂",
    "剧场",
    "隧道",
    "高架桥",
    "分拣站",
    "院子",
    "动物园",
    "修道院",
    "烘房",
];
const WORTHS: [&str; 29] = [
    "橡木的",
    "黄铜的",
    "七寸宽",
    "刷成灰色",
    "每月上油",
    "贴大写标签",
    "保持干燥",
    "K7 型号",
    "耐十个大气压",
    "挂在左侧",
    "用毛毡包好",
    "清点两遍",
    "夜里上锁",
    "落叶松的",
    "顺时针拧紧",
    "到货称重",
    "从零编号",
    "打磨光滑",
    "倾斜五度",
    "用醋清洗",
    "固定在地面",
    "按尺寸码放",
    "用蜡封口",
    "春天抹油",
    "三月更换",
    "傍晚盖上",
    "目测找平",
    "从格拉茨订货",
    "由奥尔加检查",
];
